package hostile

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors/memory"
	"lull/hostctl"
	"lull/hostctl/hostctltest"
	"lull/subjects/spec"
)

// slots is how many of a hostile task run at once.
const slots = 2

// world is a pool with an agent.
type world struct {
	*hostctltest.World
	program string // a copy of this binary that tasks may run
	term    uint64
	cpu     float64 // seconds that the ended attempts of a job used
}

// newWorld starts an agent on a small disk that all users may enter.
func newWorld(t *testing.T) *world {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for cgroups and a small disk")
	}
	w := &world{World: hostctltest.New(t, memory.New("hostile"))}
	w.State = func() string { return fmt.Sprintf("processes of tasks: %q", processes("LULL_JOB=")) }
	disk := smallDisk(t)
	w.program = copySelf(t, disk)
	agent, err := hostctl.New(hostctl.Config{
		Bus: w.Bus, Lookup: w, Host: "hostile", Data: filepath.Join(disk, "data"), Options: hostctl.Options{Slots: slots},
		MinFree: 1, Grace: 50 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	w.term, _ = w.Join("hostile", agent.Run)
	return w
}

// smallDisk is a folder with room for a few tens of megabytes.
func smallDisk(t *testing.T) string {
	t.Helper()
	at, err := os.MkdirTemp("", "lull-hostile-")
	must(t, err)
	t.Cleanup(func() { _ = os.Remove(at) })
	if err := unix.Mount("lull-hostile", at, "tmpfs", unix.MS_NOSUID, "size=96m,mode=755"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(at, unix.MNT_DETACH)) })
	return at
}

// copySelf puts this binary where another user may run it.
func copySelf(t *testing.T, dir string) string {
	t.Helper()
	in, err := os.Open("/proc/self/exe")
	must(t, err)
	defer in.Close() //nolint:errcheck // read only
	path := filepath.Join(dir, "hostile")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, errors.Join(err, out.Close()))
	return path
}

// submit opens a job of one hostile stage.
func (w *world) submit(job string, t task) {
	w.T.Helper()
	w.Submit(job, spec.Stage{
		Tasks: slots, Memory: t.memory,
		Argv: []string{"/bin/sh", "-c", t.script}, Env: []string{"HOSTILE=" + w.program},
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
