package hostctl

import (
	"context"
	"errors"
	"sync"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/shim"
	"lull/hostctl/store"
	"lull/subjects"
)

// run is one attempt in the agent's hands.
type run struct {
	actor.Task
	folder store.Folder
	made   bool // the folder is to be tidied up
	slot   *slot
	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{} // closed with its end
	left   chan struct{} // closed when the agent goes and the task stays

	mu struct {
		sync.Mutex
		running *actor.Running
		ended   *actor.Ended
		left    bool
	}
}

// eviction is the cause with which a run's context is cancelled.
type eviction struct{ reason string }

func (e eviction) Error() string { return "evicted: " + e.reason }

var (
	errLeft    = eviction{subjects.ReasonPaused}
	errDropped = eviction{subjects.ReasonRevoked}
	errStays   = errors.New("the agent ends, the task stays")
)

func (a *Agent) newRun(t actor.Task) *run {
	r := &run{
		Task:   t,
		folder: a.store.Folder(store.Task{Job: t.Job, Stage: t.Stage, Task: t.Task}, t.Attempt),
		done:   make(chan struct{}), left: make(chan struct{}),
	}
	if int(t.Slot) < len(a.slots) {
		r.slot = a.slots[t.Slot]
	}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	return r
}

// start begins an attempt. The actor never starts one twice.
func (a *Agent) start(t actor.Task) {
	r := a.newRun(t)
	a.mu.Lock()
	a.mu.runs[t.Attempt] = r
	a.mu.Unlock()
	a.work.Go(func() {
		end, err := a.attempt(r)
		a.conclude(r, end, err)
	})
}

// conclude reports an attempt's end and then tidies up, which nobody waits for.
func (a *Agent) conclude(r *run, end actor.Ended, err error) {
	if errors.Is(err, errStays) {
		return
	}
	r.mu.Lock()
	r.mu.ended = &end
	r.mu.Unlock()
	close(r.done)
	r.cancel(nil)
	a.report(end)
	if !r.made {
		return
	}
	if err := r.folder.Clear(end.Outcome == actor.Finished); err != nil {
		a.cfg.Logger.Warn("an attempt's folder is not tidied up", "attempt", r.Attempt, "error", err)
	}
}

// began notes and reports that an attempt's process runs.
func (a *Agent) began(r *run, at int64, trace string) {
	running := actor.Running{Attempt: r.Attempt, At: at, Trace: trace}
	r.mu.Lock()
	r.mu.running = &running
	r.mu.Unlock()
	a.report(running)
}

// repeat tells a new term what became of an attempt so far.
func (a *Agent) repeat(r *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.running != nil {
		a.report(*r.mu.running)
	}
	if r.mu.ended != nil {
		a.report(*r.mu.ended)
	}
}

// abandon ends the goroutine of a run whose task stays.
func (r *run) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.mu.left {
		r.mu.left = true
		close(r.left)
	}
}

func (a *Agent) run(attempt uint64) *run {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mu.runs[attempt]
}

func (a *Agent) kill(k actor.Kill) {
	if r := a.run(k.Attempt); r != nil {
		r.cancel(eviction{k.Reason})
	}
}

// forget lets the shim forget an end that stands in the log.
func (a *Agent) forget(f actor.Forget) {
	a.mu.Lock()
	r := a.mu.runs[f.Attempt]
	delete(a.mu.runs, f.Attempt)
	a.mu.Unlock()
	if r != nil {
		r.slot.ack(f.Attempt)
	}
}

// ack tells the shim, if it is still the one that knows.
func (s *slot) ack(attempt uint64) {
	if s == nil {
		return
	}
	if c := s.client(); c != nil {
		_ = c.Ack(attempt) // a shim that is gone has forgotten it already
	}
}

// await waits for the end of an attempt that the shim was told of.
func (a *Agent) await(r *run, events <-chan shim.Event, trace string) (shim.Event, error) {
	cancelled := r.ctx.Done()
	var overdue <-chan time.Time
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return nil, nil
			}
			if started, ok := e.(*shim.Started); ok {
				a.began(r, started.Start, trace)
				continue
			}
			return e, nil
		case <-cancelled:
			cancelled = nil
			if err := r.slot.kill(context.Background(), r.Attempt, a.cfg.Grace); err != nil {
				a.cfg.Logger.Warn("a task cannot be told to end", "attempt", r.Attempt, "error", err)
			}
			overdue = time.After(a.cfg.Grace + killPatience)
		case <-overdue:
			a.force(r)
			overdue = time.After(killPatience)
		case <-r.left:
			return nil, errStays
		}
	}
}

// killPatience is how long a shim has to end a task after its grace.
const killPatience = 3 * time.Second

// force empties the slot without its shim's help.
func (a *Agent) force(r *run) {
	ctx, stop := context.WithTimeout(context.Background(), killPatience)
	defer stop()
	if err := r.slot.clear(ctx); err != nil {
		a.cfg.Logger.Error("a task does not end", "attempt", r.Attempt, "slot", r.Slot, "error", err)
	}
}
