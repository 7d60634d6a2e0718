package attempts

import (
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/slots"
	"lull/hostctl/store"
	"lull/subjects"
)

// newRunner returns a runner with one slot that has no shim.
func newRunner(t *testing.T, c Config) *Runner {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	slot := &slots.Slot{}
	c.Store, c.Logger = s, slog.New(slog.DiscardHandler)
	c.Slot = func(int) *slots.Slot { return slot }
	return New(c)
}

// A new term repeats the states of attempts while the guard counts the running ones. Both take the
// locks of the table and of the run, in the order that the package comment gives.
func TestRepeatAndCountDoNotWaitForEachOther(t *testing.T) {
	var agent sync.Mutex // Report takes the agent's
	a := newRunner(t, Config{Report: func(any) { agent.Lock(); defer agent.Unlock() }})
	task := actor.Task{Attempt: 1, Job: "job"}
	r, _ := a.claim(task)
	r.setRunning(actor.Running{})
	var both sync.WaitGroup
	for _, work := range []func(){func() { a.Adopt(task) }, func() { a.Count() }} {
		both.Go(func() {
			for range 100_000 {
				work()
			}
		})
	}
	both.Wait()
}

// A guard that rests looks once a second, so the first task must wake it. It counts the task by
// then.
func TestATaskCountsBeforeTheGuardIsWoken(t *testing.T) {
	var a *Runner
	counted := -1
	a = newRunner(t, Config{Began: func() { counted = a.Count() }, Report: func(any) {}})
	r, _ := a.claim(actor.Task{Attempt: 1, Job: "job"})
	a.execution(r).reportRunning(0)
	if counted != 1 {
		t.Errorf("%d tasks are counted, want 1", counted)
	}
}

// The first reason of an end stands, and the least grace counts.
func TestTheEndOfAnAttemptMayBeHurried(t *testing.T) {
	a := newRunner(t, Config{})
	r, _ := a.claim(actor.Task{Attempt: 1, Job: "job"})
	const usual = 10 * time.Second
	for _, told := range []struct {
		reason  string
		urgency actor.Urgency
		want    time.Duration
		hurry   bool
	}{
		{subjects.ReasonRevoked, actor.Patient, usual, false},
		{subjects.ReasonReserve, actor.Soon, actor.SoonGrace, true},
		{subjects.ReasonReserve, actor.AtOnce, 0, true},
		{subjects.ReasonReserve, actor.Soon, 0, false},
	} {
		a.Kill(1, told.reason, told.urgency)
		hurry := len(r.urgencyRaised) > 0
		if hurry {
			<-r.urgencyRaised
		}
		if got := r.grace(usual); got != told.want || hurry != told.hurry || r.endReason() != subjects.ReasonRevoked {
			t.Errorf("after %+v: grace %v, hurry %v, reason %s, want %v, %v, revoked", told, got, hurry, r.endReason(), told.want, told.hurry)
		}
	}
}

// unpaced is a Pacer that does nothing.
type unpaced struct{ Pacer }

func (unpaced) End(uint64) {}

// Once an end is reported, the log of an attempt without output is found by the attempt's id: the
// runner may be told at once to forget the attempt, and its folder be tidied up later.
func TestALogIsFoundOnceTheEndIsReported(t *testing.T) {
	var a *Runner
	reported, found := false, false
	a = newRunner(t, Config{Pacer: unpaced{}, Report: func(end any) {
		if _, ok := end.(actor.Ended); ok {
			a.Forget(actor.Task{Attempt: 1, Job: "job"}, true)
			reported = true
			_, found = a.cfg.Store.Find(1)
		}
	}})
	r, _ := a.claim(actor.Task{Attempt: 1, Job: "job"})
	r.needsTidying = true
	if err := r.folder.Make(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.folder.Stdout(), []byte("hi\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.execution(r).conclude(actor.Ended{Attempt: 1, Outcome: actor.Finished}, nil)
	if !reported || !found {
		t.Errorf("reported, found = %v, %v, want true, true", reported, found)
	}
	if _, ok := a.cfg.Store.Find(1); !ok {
		t.Error("Find(1) = false after the folder was tidied up, want true")
	}
}

// A write to the checkpoint folder is reported once. What an earlier attempt left there is not
// this one's work.
func TestAWriteToTheCheckpointIsReportedOnce(t *testing.T) {
	var got []any
	a := newRunner(t, Config{Report: func(r any) { got = append(got, r) }})
	r, _ := a.claim(actor.Task{Attempt: 1, Job: "job"})
	if err := r.folder.Make(); err != nil {
		t.Fatal(err)
	}
	write := func() {
		if err := os.WriteFile(r.folder.Checkpoint()+"/state", []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write()
	start := time.Now().Add(time.Second).UnixNano() // as of a process that starts later
	r.setRunning(actor.Running{Attempt: 1, At: start})
	if (Checkpoints{a}).Report(); len(got) != 0 || savedAfter(r.folder, start) > 0 {
		t.Fatalf("saved = %+v of a file older than the process, want none", got)
	}
	start = time.Now().Add(-time.Minute).UnixNano()
	r.setRunning(actor.Running{Attempt: 1, At: start})
	write()
	(Checkpoints{a}).Report()
	(Checkpoints{a}).Report()
	if len(got) != 1 || got[0] != (actor.Saved{Attempt: 1}) {
		t.Errorf("saved = %+v, want one report", got)
	}
	if after := savedAfter(r.folder, start); after < 59 || after > 600 {
		t.Errorf("savedAfter() = %v s, want about 60", after)
	}
}
