package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"lull/test/poll"
	"lull/test/taskuser"
)

// sharedPool is one `lull up` for all scripts that only need some pool to be there. The first script that says
// `pool` starts it, and it stops when all scripts have ended. Such scripts find their jobs by names of their own.
type sharedPool struct {
	t     *testing.T
	data  string
	start sync.Once
	err   error
}

func newSharedPool(t *testing.T) (*sharedPool, error) {
	work := t.TempDir()
	return &sharedPool{t: t, data: filepath.Join(work, "data")}, passable(work)
}

// use makes a script's commands speak to the pool.
func (p *sharedPool) use(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: pool")
	}
	p.start.Do(func() { p.err = p.up() })
	ts.Check(p.err)
	ts.Setenv("LULL_DATA", p.data)
}

// up starts the pool and waits until its host has joined.
func (p *sharedPool) up() error {
	up := exec.Command("lull", append([]string{"up", "--data", p.data}, taskuser.Flags()...)...)
	var said bytes.Buffer
	up.Stderr = &said
	if err := up.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	var err error
	go func() {
		err = up.Wait()
		close(ended)
	}()
	p.t.Cleanup(func() {
		_ = up.Process.Signal(os.Interrupt) // it may have ended
		if <-ended; err != nil {
			p.t.Errorf("lull up of the shared pool ended with %v, want no error", err)
		}
		if p.t.Failed() {
			p.t.Logf("lull up of the shared pool said:\n%s", &said)
		}
	})
	over := func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	}
	joined := func() bool { return exec.Command("lull", "hosts", "--data", p.data).Run() == nil }
	if !poll.Until(patience, pause, func() bool { return over() || joined() }) {
		return fmt.Errorf("lull up of the shared pool has no host after %v", patience)
	}
	if over() {
		return fmt.Errorf("lull up of the shared pool has ended: %w: %s", err, &said)
	}
	return nil
}
