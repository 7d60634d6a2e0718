package reports

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"lull/test/binary"
	"lull/test/poll"
	"lull/test/unguarded"
)

// pool is a `lull up` that all reports share.
type pool struct {
	root string
	env  []string
}

// patience bounds the wait for the pool, in idle time.
const patience = 150 * time.Second

// startPool starts a pool for the time of a test. It ignores SIGHUP, as under nohup.
func startPool(t *testing.T) *pool {
	t.Helper()
	lull, remove, err := binary.Lull()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(remove)
	root, err := os.MkdirTemp("", "lull-") // the folders of t.TempDir have long names, and others may not enter them
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	p := &pool{root: root, env: append(os.Environ(), "LULL_DATA="+root+"/data", "PATH="+filepath.Dir(lull)+":"+os.Getenv("PATH"))}
	name := fmt.Sprintf("reports-%d", os.Getpid())
	up := exec.Command("/bin/sh", "-c", `trap "" HUP; exec lull up --name "$0" "$@"`, name)
	up.Args = append(up.Args, unguarded.Flags()...)
	up.Env, up.Dir = p.env, root
	var said bytes.Buffer
	up.Stdout, up.Stderr = &said, &said
	if err := up.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = up.Process.Signal(syscall.SIGINT)
		_ = up.Wait()
		if t.Failed() {
			t.Logf("lull up said: %s", &said)
		}
	})
	if !poll.Until(patience, 100*time.Millisecond, func() bool {
		hosts := exec.Command("lull", "hosts")
		hosts.Path, hosts.Err, hosts.Env = lull, nil, p.env
		return hosts.Run() == nil
	}) {
		t.Fatal("lull up does not answer")
	}
	return p
}

// folder returns a new folder that tasks may enter.
func (p *pool) folder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp(p.root, "")
	if err == nil {
		err = os.Chmod(folder, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// shell runs a script in a folder, and returns what it prints to stdout and to stderr.
func (p *pool) shell(t *testing.T, folder, script string) (out, aside string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = p.env, folder, &stdout, &stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String()
}
