package attempts

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/environ"
	"lull/hostctl/slots"
	"lull/hostctl/speeds"
	"lull/hostctl/store"
	"lull/subjects"
)

// run is one attempt in the agent's hands.
type run struct {
	actor.Task
	folder store.Folder
	slot   *slots.Slot // nil if the host has none of its number
	meter  *speeds.Meter

	ctx           context.Context // until it ends or is to end
	cancel        context.CancelCauseFunc
	launchCtx     context.Context // until it is launched: ctx, or the agent goes
	cancelLaunch  context.CancelFunc
	done          chan struct{} // closed with its end
	agentGone     chan struct{} // closed when the agent goes and the task stays
	urgencyRaised chan struct{} // has a token when the grace was shortened

	// These belong to the goroutine of the attempt.
	needsTidying bool           // the folder is to be tidied up
	trees        []store.Tree   // of its in/ folder, for the next reader
	input        int64          // bytes that it was given to read
	fetch        subjects.Fetch // what came from other hosts
	lateNoted    bool           // it was logged that its processes take long to end
	label        string         // of the task, "" until its split is known
	killAsked    bool           // the agent has told the shim to end it, or was about to empty its slot

	mu struct {
		sync.Mutex
		running   *actor.Running
		exited    bool // its slot was given to the next one
		ended     *actor.Ended
		abandoned bool
		model     string        // the name of its kind, "" until its job is known
		grace     time.Duration // of its stage, 0 until then or for the default
		urgency   actor.Urgency
		commit    *store.Progress // of its output, nil before
		saved     time.Time       // when the checkpoint folder last changed, as was reported
	}
}

// eviction is the cause with which a run's context is cancelled.
type eviction struct{ reason string }

func (e eviction) Error() string { return "evicted: " + e.reason }

var (
	errLeft      = eviction{reason: subjects.ReasonPaused}
	errDropped   = eviction{reason: subjects.ReasonRevoked}
	errTaskStays = errors.New("the agent ends, the task stays")
)

func newRun(t actor.Task, s *slots.Slot, f store.Folder, root string) *run {
	r := &run{Task: t, slot: s, folder: f, done: make(chan struct{}), agentGone: make(chan struct{}), urgencyRaised: make(chan struct{}, 1)}
	r.meter = speeds.New(speeds.Measured{Root: root, Slot: s, Attempt: t.Attempt, Progress: environ.ProgressFile(f)})
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	r.launchCtx, r.cancelLaunch = context.WithCancel(r.ctx)
	return r
}

// evict has the attempt end. The first reason stands, the greatest urgency counts.
func (r *run) evict(reason string, urgency actor.Urgency) {
	r.mu.Lock()
	raised := urgency > r.mu.urgency
	r.mu.urgency = max(r.mu.urgency, urgency)
	r.mu.Unlock()
	r.cancel(eviction{reason})
	if !raised {
		return
	}
	select {
	case r.urgencyRaised <- struct{}{}:
	default: // it has not seen the last one yet
	}
}

// grace is how long the attempt has to end, of the usual grace.
func (r *run) grace(usual time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch r.mu.urgency {
	case actor.AtOnce:
		return 0
	case actor.Soon:
		return min(usual, actor.SoonGrace)
	}
	return usual
}

// setRunning notes that the attempt's process runs.
func (r *run) setRunning(at actor.Running) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.running = &at
}

// setExited notes that the attempt's slot is given to the next one.
func (r *run) setExited() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.exited = true
}

// setStoring notes that the attempt's output is being committed.
func (r *run) setStoring(p *store.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.commit = p
}

// storing is how far the commit of the attempt's output has come, nil unless it is under way.
func (r *run) storing() *store.Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.ended != nil {
		return nil
	}
	return r.mu.commit
}

func (r *run) setEnded(end actor.Ended) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.ended = &end
}

// reportAgain reports what became of the attempt so far, for a new term.
func (r *run) reportAgain(report func(any)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.running != nil {
		report(*r.mu.running)
	}
	if r.mu.exited {
		report(actor.Exited{Attempt: r.Attempt})
	}
	if r.mu.ended != nil {
		report(*r.mu.ended)
	}
}

// hasProcess reports whether the attempt's process is known to run.
func (r *run) hasProcess() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.slot != nil && r.mu.running != nil && !r.mu.exited && r.mu.ended == nil
}

// abandon ends the goroutine of a run with a task that stays.
func (r *run) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.mu.abandoned {
		r.mu.abandoned = true
		close(r.agentGone)
		r.cancelLaunch()
	}
}

func (r *run) abandoned() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mu.abandoned
}

// setModel notes the name of the attempt's kind and its grace, which its job's document says.
func (r *run) setModel(doc *subjects.Submitted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.model, r.mu.grace = doc.Spec.Model(int(r.Stage)), doc.Spec.Stages[r.Stage].Grace
}

// model is that name, "" if the job is not known.
func (r *run) model() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mu.model
}

// kind is that name too. An attempt that was adopted and has no document gets one of its stage.
func (r *run) kind() string {
	if model := r.model(); model != "" {
		return model
	}
	return fmt.Sprintf("%s/%d", r.Job, r.Stage)
}
