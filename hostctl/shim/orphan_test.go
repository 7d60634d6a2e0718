package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A shim whose agent died before the shim could listen has nothing to do. A successor that looked
// for sockets a moment ago will not look again.
func TestAShimWithoutAnAgentEnds(t *testing.T) {
	cfg := testConfig(t).withDefaults()
	cfg.Idle = time.Hour // so that idleness does not end it
	cmd, err := command(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ready, tell, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = ready.Close() // the agent died
	cmd.ExtraFiles = []*os.File{tell}
	if err := born(cmd, cfg.Slot); err != nil {
		t.Fatal(err)
	}
	_ = tell.Close()
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("end of the shim = %v, want no error within %v", err, patience)
	}
	if _, err := os.Lstat(socketPath(cfg.Dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("socket of the shim: %v, want it removed", err)
	}
}

// No agent can reach a shim whose folder was removed, so it ends, whatever it has to report. It
// does not keep descriptors that its agent had open by chance.
func TestAShimWithoutFolderEnds(t *testing.T) {
	cfg := testConfig(t).withDefaults()
	inherited, err := os.Open("/etc/passwd")
	if err != nil {
		t.Fatal(err)
	}
	defer inherited.Close() //nolint:errcheck // only to be there
	if _, err := unix.FcntlInt(inherited.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	c, err := Launch(testContext(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", c.PID()))
	if err != nil || len(fds) == 0 {
		t.Fatalf("descriptors of the shim = %q, %v, want some", fds, err)
	}
	for _, fd := range fds {
		if to, _ := os.Readlink(fd); to == "/etc/passwd" {
			t.Errorf("the shim has %s open, want it closed", to)
		}
	}
	if e := run(t, c, shell(cfg, 1, `exit 0`)); e.Status != 0 { // an end that no agent acknowledges
		t.Errorf("end = %+v, want status 0", e)
	}
	if err := os.RemoveAll(cfg.Dir); err != nil {
		t.Fatal(err)
	}
	pid := c.PID()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the shim to end", func() bool { return startTime(pid) == "" })
}
