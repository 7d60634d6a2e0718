package attempts

import (
	"os"
	"sync"

	"lull/hostctl/actor"
	"lull/hostctl/slots"
	"lull/hostctl/store"
)

// Runner runs the attempts of one host. Its methods are safe for concurrent use.
type Runner struct {
	cfg   Config
	table *table
	work  sync.WaitGroup // goroutines of attempts
}

// New returns a runner without attempts.
func New(c Config) *Runner {
	return &Runner{cfg: c, table: newTable()}
}

// Start begins an attempt. The host's actor never starts one twice.
func (a *Runner) Start(t actor.Task) {
	r := a.newRun(t, a.slotOf(t))
	a.table.add(r)
	a.work.Go(func() {
		x := a.execution(r)
		end, err := x.begin()
		x.conclude(end, err)
	})
}

// Kill ends an attempt for a reason. A second call may shorten the grace that the attempt has.
func (a *Runner) Kill(attempt uint64, reason string, urgency actor.Urgency) {
	if r := a.table.run(attempt); r != nil {
		r.evict(reason, urgency)
	}
}

// Forget makes the shim forget an end that the log has. With committed, the attempt's output stays.
func (a *Runner) Forget(t actor.Task, committed bool) {
	r := a.table.removeRun(t.Attempt)
	if r != nil {
		r.slot.Ack(t.Attempt)
		return
	}
	// An earlier agent's, or one that was refused.
	r = a.newRun(t, a.slotOf(t))
	if _, err := os.Lstat(r.folder.Path); err == nil {
		a.work.Go(func() {
			r.folder.Hold()
			a.execution(r).tidyFolder(committed)
		})
	}
}

// Leave ends all attempts, or only their goroutines if their tasks stay for the next agent.
func (a *Runner) Leave(quit bool) {
	for _, r := range a.table.runs() {
		if quit {
			r.cancel(errLeft)
		} else {
			r.abandon()
		}
	}
}

// Wait waits for the goroutines of attempts.
func (a *Runner) Wait() { a.work.Wait() }

// newRun makes a run in a slot, which is nil for an attempt of a slot that the host has not.
func (a *Runner) newRun(t actor.Task, s *slots.Slot) *run {
	f := a.cfg.Store.Folder(store.Task{Job: t.Job, Stage: t.Stage, Task: t.Task}, t.Attempt)
	if s != nil {
		f = f.For(a.cfg.owner(s.N))
	}
	return newRun(t, s, f, a.cfg.Root)
}

// slotOf is the slot that runs a task, nil if there is none of its number.
func (a *Runner) slotOf(t actor.Task) *slots.Slot { return a.cfg.Slot(int(t.Slot)) }

func (a *Runner) execution(r *run) *execution { return &execution{run: r, cfg: &a.cfg} }
