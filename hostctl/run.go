package hostctl

import (
	"context"
	"errors"
	"sync"

	"lull/hostctl/actor"
	"lull/hostctl/pacing"
	"lull/hostctl/reads"
	"lull/hostctl/slots"
	"lull/hostctl/store"
	"lull/subjects"
)

// run is one attempt in the agent's hands.
type run struct {
	actor.Task
	folder store.Folder
	made   bool // the folder is to be tidied up
	slot   *slots.Slot
	ctx    context.Context // until it ends or is to end
	cancel context.CancelCauseFunc
	setup  context.Context // until it is launched: ctx, or the agent goes
	unset  context.CancelFunc
	trees  []store.Tree  // of its in/ folder, for the next reader
	input  int64         // bytes that it was given to read
	done   chan struct{} // closed with its end
	left   chan struct{} // closed when the agent goes and the task stays

	mu struct {
		sync.Mutex
		running *actor.Running
		exited  bool // its slot was given to the next one
		ended   *actor.Ended
		left    bool
		reads   reads.Series
		read    pacing.Reading // what its processes read so far
		pulse   pacing.Reading // how far it was a second ago
		kind    string         // its model's name, "" until its job is known
	}
}

// eviction is the cause with which a run's context is cancelled.
type eviction struct {
	reason string
	atOnce bool // without grace
}

func (e eviction) Error() string { return "evicted: " + e.reason }

var (
	errLeft    = eviction{reason: subjects.ReasonPaused}
	errDropped = eviction{reason: subjects.ReasonRevoked}
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
		r.folder = r.folder.For(a.owner(r.slot.N))
	}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	r.setup, r.unset = context.WithCancel(r.ctx)
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
	if errors.Is(err, errStays) || r.abandoned() {
		return // the next agent's to tell
	}
	r.mu.Lock()
	r.mu.ended = &end
	r.mu.Unlock()
	a.pacer.End(r.Attempt) // the slot's next task has no cap from it
	if end.Outcome == actor.Declined && end.Reason == subjects.ReasonSlot {
		a.mend(r.slot) // first: the next task may be given at once
	}
	close(r.done)
	r.cancel(nil)
	a.report(end)
	if r.made {
		a.clear(r, end.Outcome == actor.Finished)
	}
}

// began notes and reports that an attempt's process runs.
func (a *Agent) began(r *run, at int64, trace string) {
	running := actor.Running{Attempt: r.Attempt, At: at, Trace: trace}
	r.mu.Lock()
	r.mu.running = &running
	r.mu.Unlock()
	a.guardian.Wake()
	a.report(running)
}

// repeat tells a new term what became of an attempt so far.
func (a *Agent) repeat(r *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.running != nil {
		a.report(*r.mu.running)
	}
	if r.mu.exited {
		a.report(actor.Exited{Attempt: r.Attempt})
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
		r.unset()
	}
}

func (r *run) abandoned() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mu.left
}

func (a *Agent) run(attempt uint64) *run {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mu.runs[attempt]
}

// works reports whether an attempt of the job is in the agent's hands.
func (a *Agent) works(job string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.mu.runs {
		if r.Job == job {
			return true
		}
	}
	return false
}
