package shim

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"time"
)

// A shim whose agent died before it could listen has nothing to do, and a
// successor that looked for sockets a moment ago will not come back.
func TestAShimNobodyWaitsForEnds(t *testing.T) {
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
	if err := spawn(cmd, cfg); err != nil {
		t.Fatal(err)
	}
	_ = tell.Close()
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the shim did not end well within %v: %v", patience, err)
	}
	if _, err := os.Lstat(socketPath(cfg.Dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its socket stays behind: %v", err)
	}
}
