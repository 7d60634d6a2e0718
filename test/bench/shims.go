package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
)

// shims runs no-op tasks through one shim a core and nothing else: what the
// same containment costs without events, log or scheduling.
func shims(ctx context.Context, binary, dir string, tasks int) (time.Duration, error) {
	caps, err := cgroup.Detect("/")
	if err != nil {
		return 0, err
	}
	tree, err := cgroup.Open(caps, fmt.Sprintf("bench-%d", os.Getpid()))
	if err != nil {
		return 0, err
	}
	defer func() { _ = tree.Remove(ctx) }() // the next Open adopts a leftover
	clients, err := launch(ctx, tree, binary, dir)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	errs := make(chan error, len(clients))
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() { errs <- drive(c, uint64(i+1), tasks/len(clients), dir) })
	}
	all.Wait()
	took := time.Since(start)
	close(errs)
	for err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return took, quit(clients)
}

func launch(ctx context.Context, tree *cgroup.Tree, binary, dir string) ([]*shim.Client, error) {
	var clients []*shim.Client
	for i := range runtime.NumCPU() {
		slot, err := tree.Slot(i)
		if err != nil {
			return nil, err
		}
		c, err := shim.Launch(ctx, shim.Config{
			Dir: filepath.Join(dir, fmt.Sprintf("shim-%d", i)), Slot: slot, Command: []string{binary, "shim"},
		})
		if err != nil {
			return nil, err
		}
		clients = append(clients, c)
	}
	return clients, nil
}

// drive runs tasks one after the other on one shim.
func drive(c *shim.Client, shift uint64, tasks int, dir string) error {
	for i := range tasks {
		id := uint64(i)<<8 | shift
		err := c.Start(shim.Task{Attempt: id, Argv: []string{"/bin/true"}, Env: []string{"PATH=/bin"}, Dir: dir})
		if err != nil {
			return err
		}
		if err := exited(c, id); err != nil {
			return err
		}
	}
	return nil
}

func exited(c *shim.Client, id uint64) error {
	for e := range c.Events() {
		switch e := e.(type) {
		case *shim.Exited:
			if e.Status != 0 {
				return fmt.Errorf("/bin/true ended with %d: %s", e.Status, e.Text)
			}
			return c.Ack(id)
		case *shim.StartFailed:
			return fmt.Errorf("/bin/true did not start: %s", e.Text)
		}
	}
	return shim.ErrGone
}

func quit(clients []*shim.Client) error {
	for _, c := range clients {
		if err := c.Quit(); err != nil {
			return err
		}
	}
	return nil
}
