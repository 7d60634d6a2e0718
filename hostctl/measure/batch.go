package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
)

// batch is a busy loop a core, under real shims.
type batch struct {
	dir        string
	tree       *cgroup.Tree
	slots      []*shim.Client
	attempt    uint64
	length     time.Duration
	protection string
}

// openBatch makes cgroups and starts shims, as an agent does.
func openBatch(ctx context.Context, cfg Config) (_ *batch, err error) {
	caps, err := cgroup.Detect(cfg.Root)
	if err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	b := &batch{length: cfg.For, protection: caps.Lines()[0].Text}
	if b.dir, err = os.MkdirTemp("", "lull-doctor-"); err != nil {
		return nil, fmt.Errorf("measure: %w (set TMPDIR to a folder that can be written)", err)
	}
	if b.tree, err = cgroup.Open(caps, "doctor-"+strconv.Itoa(os.Getpid())); err == nil {
		for n := 0; n < runtime.NumCPU() && err == nil; n++ {
			err = b.open(ctx, cfg, caps, n)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("measure: %w", err), b.close())
	}
	return b, nil
}

// open starts one shim. One that we could not end, ends by itself soon.
func (b *batch) open(ctx context.Context, cfg Config, caps cgroup.Capabilities, n int) error {
	group, err := b.tree.Slot(n)
	if err != nil {
		return err
	}
	slot := shim.Config{
		Dir: filepath.Join(b.dir, strconv.Itoa(n)), Background: !caps.Idle.OK(), Command: cfg.Shim,
		Idle: time.Second, Keep: time.Second,
	}
	if len(group.Joins()) > 0 || group.Unified() != "" {
		slot.Slot = group
	}
	c, err := shim.Launch(ctx, slot)
	if err == nil {
		b.slots = append(b.slots, c)
	}
	return err
}

// start begins one task a slot, and returns when all run.
func (b *batch) start(ctx context.Context) error {
	b.attempt++
	for _, c := range b.slots {
		err := c.Start(shim.Task{
			Attempt: b.attempt, Argv: []string{"/bin/sh", "-c", "while :; do :; done"}, Dir: "/",
			Timeout: b.length + 10*time.Second, // if no process is left to stop it
		})
		if err != nil {
			return err
		}
	}
	for _, c := range b.slots {
		if _, err := await[*shim.Started](ctx, c); err != nil {
			return fmt.Errorf("start batch work: %w", err)
		}
	}
	return nil
}

// stop ends the tasks and returns the CPU seconds that they used.
func (b *batch) stop(ctx context.Context) (cpu float64, err error) {
	for _, c := range b.slots {
		if err := c.Kill(b.attempt, 0); err != nil {
			return 0, err
		}
	}
	for _, c := range b.slots {
		e, err := await[*shim.Exited](ctx, c)
		if err != nil {
			return 0, fmt.Errorf("stop batch work: %w", err)
		}
		cpu += e.CPU
	}
	return cpu, nil
}

// patience bounds the wait for a shim. It is in the tasks' class, and may wait for long beside
// other work that wants every core.
const patience = time.Minute

var errStarved = fmt.Errorf("other work left no CPU for %v: measure again when some core is idle", patience)

// await returns the next event of the wanted type.
func await[E shim.Event](ctx context.Context, c *shim.Client) (none E, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, patience, errStarved)
	defer stop()
	for {
		select {
		case event, open := <-c.Events():
			if !open {
				return none, shim.ErrGone
			}
			if failed, ok := event.(*shim.StartFailed); ok {
				return none, errors.New(failed.Text)
			}
			if want, ok := event.(E); ok {
				return want, nil
			}
		case <-ctx.Done():
			return none, context.Cause(ctx)
		}
	}
}

// close ends tasks and shims and removes what was made for them.
func (b *batch) close() (err error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	for _, c := range b.slots {
		if c.Quit() == nil {
			b.drain(ctx, c)
		}
	}
	if b.tree != nil {
		err = b.tree.Remove(ctx)
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}

// drain waits until a shim that has its order to quit is gone.
func (b *batch) drain(ctx context.Context, c *shim.Client) {
	for {
		select {
		case _, open := <-c.Events():
			if !open {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
