// Package hostctltest is the pool around an agent in a test: the log, and a slotter played by the
// test.
//
//	w := hostctltest.New(t, memory.New("test"))
//	term, _ := w.Join("alpha", agent.Run)
//	w.Submit("job", spec.Stage{Argv: []string{"/bin/true"}})
//	id := w.Assign("alpha", term, "job", 0, 0, 0)
//	e, _ := hostctltest.Next[*subjects.Finished](w, nil)
//
// It does not import package hostctl, so that tests inside that package can use it.
package hostctltest

import (
	"cmp"
	"context"
	"sync"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Patience bounds every wait for an event. Tasks and their ends are in the idle class: what takes
// milliseconds on a quiet machine takes long beside others that want every core.
const Patience = 2 * time.Minute

// World is a pool with one log.
type World struct {
	Lookup
	T *testing.T // a subtest may put its own here
	// State is a text for the failure of a wait, beside the log. Defaults to none.
	State func() string
	// Ledger folds the events that Next has read, which are in Events.
	Ledger *ledger.State
	Events []subjects.Event

	log <-chan actors.Delivery
}

// New returns the pool of a bus, from the beginning of its log.
func New(t *testing.T, bus actors.Bus) *World {
	t.Helper()
	w := &World{Lookup: Lookup{Bus: bus}, T: t, Ledger: ledger.New()}
	var err error
	if w.log, err = bus.Follow(t.Context(), 1, ""); err != nil {
		t.Fatal(err)
	}
	return w
}

// Append writes an event as its author would, and returns its sequence.
func (w *World) Append(e subjects.Event) uint64 {
	w.T.Helper()
	m, err := subjects.Encode(w.Bus.Pool(), e)
	if err != nil {
		w.T.Fatal(err)
	}
	seq, err := w.Bus.Append(w.T.Context(), []subjects.Message{m}, actors.Fence{})
	if err != nil {
		w.T.Fatal(err)
	}
	return seq
}

// Submit opens a job with these stages.
func (w *World) Submit(job string, stages ...spec.Stage) {
	w.T.Helper()
	w.SubmitTo(job, "", stages...)
}

// SubmitTo is Submit for a job with an output folder.
func (w *World) SubmitTo(job, output string, stages ...spec.Stage) {
	w.T.Helper()
	w.SubmitUntil(job, output, 0, stages...)
}

// SubmitUntil is SubmitTo for a job with a deadline, in Unix nanoseconds.
func (w *World) SubmitUntil(job, output string, deadline int64, stages ...spec.Stage) {
	w.T.Helper()
	for i := range stages {
		s := &stages[i]
		s.Name, s.Tasks, s.CPU = cmp.Or(s.Name, "stage"), cmp.Or(s.Tasks, 1), cmp.Or(s.CPU, 1)
		s.Memory = cmp.Or(s.Memory, 256<<20)
	}
	e := &subjects.Submitted{Job: job, Spec: spec.Job{Name: job, Type: job, Output: output, Stages: stages}, Inbox: 1, At: 1, Deadline: deadline}
	w.AddJob(e)
	w.Append(e)
	w.Append(&subjects.Admitted{Job: job, Mode: subjects.ModeAffected})
}

// Assign gives a task to a slot of a host and returns the attempt.
func (w *World) Assign(host string, term uint64, job string, stage, task, slot uint32) uint64 {
	w.T.Helper()
	return w.Append(&subjects.Assigned{
		Host: host, Job: job, TaskID: subjects.TaskID{Stage: stage, Task: task},
		Term: term, Try: 1, Slot: slot, Width: 1,
	})
}

// Join runs an agent until stop or the end of the test, and waits until its host has joined.
func (w *World) Join(host string, run func(context.Context) error) (term uint64, stop func() error) {
	w.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t := w.T
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	_, term = Next(w, func(e *subjects.Joined) bool { return e.Host == host })
	return term, stop
}

// Next folds the log up to the next event of a kind that match wants, and returns it and its
// sequence. Without match it wants all.
func Next[E subjects.Event](w *World, match func(E) bool) (E, uint64) {
	w.T.Helper()
	deadline := time.After(Patience)
	for {
		select {
		case d := <-w.log:
			e, err := subjects.Decode(w.Bus.Pool(), d.Subject, d.Body)
			if err != nil {
				w.T.Fatal(err)
			}
			v := w.Ledger.Apply(d.Seq, d.Time, e)
			w.T.Logf("%d %s %+v (%v)", d.Seq, d.Subject, e, v)
			w.Events = append(w.Events, e)
			if want, ok := e.(E); ok && (match == nil || match(want)) {
				return want, d.Seq
			}
		case <-deadline:
			var want E
			state := ""
			if w.State != nil {
				state = "; " + w.State()
			}
			w.T.Fatalf("no %T came within %v%s", want, Patience, state)
		}
	}
}
