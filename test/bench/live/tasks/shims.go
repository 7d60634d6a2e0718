package tasks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
)

// withShims runs f while one shim a core waits in its cgroup.
func withShims(ctx context.Context, binary, dir string, f func([]*shim.Client) error) error {
	caps, err := cgroup.Detect("/")
	if err != nil {
		return err
	}
	tree, err := cgroup.Open(caps, fmt.Sprintf("bench-%d", os.Getpid()))
	if err != nil {
		return err
	}
	defer func() { _ = tree.Remove(ctx) }() // the next Open adopts a leftover
	clients, err := launch(ctx, tree, binary, dir)
	if err != nil {
		return err
	}
	if err := f(clients); err != nil {
		return err
	}
	return quit(ctx, clients, dir)
}

// shims runs no-op tasks through the shims and nothing else: what the same
// containment costs without events, log or scheduling.
func shims(ctx context.Context, binary, dir string, tasks int) (took time.Duration, err error) {
	err = withShims(ctx, binary, dir, func(clients []*shim.Client) error {
		start := time.Now()
		errs := make(chan error, len(clients))
		var all sync.WaitGroup
		for i, c := range clients {
			all.Go(func() { errs <- drive(c, uint64(i+1), tasks/len(clients), dir) })
		}
		all.Wait()
		took = time.Since(start)
		close(errs)
		for err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	})
	return took, err
}

// xargsThrough runs no-op tasks by xargs. Each of its children passes one task to the shim of its
// place and waits for it.
func xargsThrough(ctx context.Context, binary, dir string, tasks int) (took time.Duration, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	err = withShims(ctx, binary, dir, func(clients []*shim.Client) error {
		for _, c := range clients {
			if err := c.Close(); err != nil { // the children connect
				return err
			}
		}
		script := fmt.Sprintf("seq %d | xargs -P%d --process-slot-var=SLOT -n1 %s %s %s",
			tasks, len(clients), self, throughVerb, dir)
		start := time.Now()
		err := exec.CommandContext(ctx, "sh", "-c", script).Run()
		took = time.Since(start)
		return err
	})
	return took, err
}

// throughVerb makes this program one of xargsThrough's children.
const throughVerb = "through-the-shim"

// RunAsChild does the work of one of xargsThrough's children, and reports whether this process is one. It returns the exit code.
func RunAsChild(args []string) (code int, aside bool) {
	if len(args) < 2 || args[1] != throughVerb {
		return 0, false
	}
	if err := through(context.Background(), args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "bench %s: %v\n", throughVerb, err)
		return 1, true
	}
	return 0, true
}

func through(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%s takes a folder and a number", throughVerb)
	}
	id, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return err
	}
	c, err := shim.Launch(ctx, shim.Config{Dir: filepath.Join(args[0], "shim-"+os.Getenv("SLOT"))})
	if err != nil {
		return err
	}
	if err := runTrue(c, id, args[0]); err != nil {
		return err
	}
	return c.Close()
}

func launch(ctx context.Context, tree *cgroup.Tree, binary, dir string) ([]*shim.Client, error) {
	var clients []*shim.Client
	for i := range runtime.NumCPU() {
		slot, err := tree.Slot(i)
		if err != nil {
			return nil, err
		}
		c, err := shim.Launch(ctx, shim.Config{
			Dir: shimDir(dir, i), Slot: slot, Command: []string{binary, "shim"},
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
		if err := runTrue(c, uint64(i)<<8|shift, dir); err != nil {
			return err
		}
	}
	return nil
}

func runTrue(c *shim.Client, id uint64, dir string) error {
	err := c.Start(shim.Task{Attempt: id, Argv: []string{"/bin/true"}, Env: []string{"PATH=/bin"}, Dir: dir})
	if err != nil {
		return err
	}
	return exited(c, id)
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

// quit ends the shims, whichever process was connected to them last.
func quit(ctx context.Context, clients []*shim.Client, dir string) error {
	for i := range clients {
		c, err := shim.Launch(ctx, shim.Config{Dir: shimDir(dir, i)})
		if err != nil {
			return err
		}
		if err := c.Quit(); err != nil {
			return err
		}
	}
	return nil
}

func shimDir(dir string, i int) string { return filepath.Join(dir, fmt.Sprintf("shim-%d", i)) }
