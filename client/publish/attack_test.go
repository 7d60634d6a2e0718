package publish

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "attack":
			attack(os.Args[2])
		case "publish":
			os.Exit(main())
		}
	}
	os.Exit(m.Run())
}

// main publishes its standard input.
func main() int {
	content := bufio.NewReader(os.Stdin)
	plan, err := ReadPlan(content)
	if err == nil {
		_, err = Publish(plan, content, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// attack replaces whatever the publisher makes in the output folder by a link that leads out
// of it, until it is killed.
func attack(output string) {
	fmt.Println("begun")
	bait := filepath.Join(output, "bait")
	for {
		entries, _ := os.ReadDir(output)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), Marker+"-") && e.IsDir() {
				_ = unix.Renameat2(unix.AT_FDCWD, filepath.Join(output, e.Name()), unix.AT_FDCWD, bait, unix.RENAME_EXCHANGE)
				_ = os.Rename(bait, bait+"-was")
				_ = os.Symlink("../victim", bait)
			}
		}
	}
}

// attacked returns an output folder in which a process of user nobody runs attack, and a folder of
// root beside it, to which the links lead.
func attacked(t *testing.T) (output, victim string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, whose rights are attacked")
	}
	dir, err := os.MkdirTemp("", "lull-attack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	output, victim = filepath.Join(dir, "out"), filepath.Join(dir, "victim")
	for path, uid := range map[string]int{output: 65534, victim: 0} {
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, uid, uid); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../victim", filepath.Join(output, "bait")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "attack", output)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := bufio.NewReader(said).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return output, victim
}

// The owner of the output folder swaps folders in it while root publishes there. Root then
// created files of the owner's choice anywhere.
func TestRootCreatesNothingWhereALinkLeads(t *testing.T) {
	output, victim := attacked(t)
	for attempt := range uint64(5) {
		_ = publish("job", attempt, output, many("1")...) // it may fail
	}
	if got := tree(t, victim); got != "" {
		t.Errorf("root wrote %s, want nothing", got)
	}
}
