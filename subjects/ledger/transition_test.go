package ledger

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// script folds events one after the other, each one second later.
type script struct {
	t *testing.T
	s *State
}

func (sc *script) say(e subjects.Event) Change {
	seq := sc.s.Seq + 1
	return sc.s.Apply(seq, time.Unix(int64(seq), 0), e)
}

func (sc *script) must(events ...subjects.Event) {
	sc.t.Helper()
	for _, e := range events {
		if v := sc.say(e); v.Outcome == Void {
			sc.t.Fatalf("Apply(%T) is void: %s, want it accepted", e, v.Why)
		}
	}
}

// The names and numbers that the scripts below use.
var (
	joined    = &subjects.Joined{Host: "h", Slots: 2, Memory: 10, Labels: []string{"zone=1"}}
	other     = &subjects.Joined{Host: "g", Slots: 2, Memory: 10}
	submitted = &subjects.Submitted{Job: "j", Spec: twoStages()}
	admitted  = &subjects.Admitted{Job: "j"}
	given     = &subjects.Assigned{Host: "h", Job: "j", Term: 1, Width: 1, Try: 1}
	fact      = subjects.Fact{Term: 1, Attempt: 5}
	finished  = &subjects.Finished{Host: "h", Job: "j", Fact: fact, Manifest: subjects.Digest{1}}
	failed    = &subjects.Failed{Host: "h", Job: "j", Fact: fact}
	lost      = &subjects.Lost{Host: "h", Term: 1}
)

func twoStages() spec.Job {
	return spec.Job{Name: "job", Type: "job", Stages: []spec.Stage{
		{Name: "one", Argv: []string{"true"}, Tasks: 2, CPU: 1, Memory: 4, Retries: 1, Backoff: time.Second},
		{Name: "two", Argv: []string{"true"}, Tasks: 1, CPU: 2, Memory: 4, Where: []string{"zone=2"}, From: []spec.From{{Stage: 0}}},
	}}
}

// running is a log at whose end attempt 5 holds task 0 of job j on host h.
func running() []subjects.Event {
	return []subjects.Event{joined, other, submitted, admitted, given}
}

// with returns a copy of e after a change.
func with[E any](e *E, change func(*E)) *E {
	c := *e
	change(&c)
	return &c
}

func TestEventsThatDoNotFitAreVoidAndSayWhy(t *testing.T) {
	assigned := func(change func(*subjects.Assigned)) subjects.Event {
		return with(given, func(e *subjects.Assigned) { e.Task, e.Slot = 1, 1; change(e) })
	}
	finish := func(change func(*subjects.Finished)) subjects.Event { return with(finished, change) }
	for _, c := range []struct {
		name string
		log  []subjects.Event
		e    subjects.Event
		why  string
	}{
		{"a job comes twice", running(), submitted, "a job with this id exists"},
		{"a job without stages", nil, &subjects.Submitted{Job: "j"}, "the specification is invalid"},
		{"a verdict comes twice", running(), admitted, "no job of this id waits for a verdict"},
		{"a running job is rejected", running(), &subjects.Rejected{Job: "j"}, "the job already has its verdict"},
		{"a waiting job is endangered", running()[:3], &subjects.Endangered{Job: "j"}, "no such job runs"},
		{"an unknown job is cancelled", nil, &subjects.Cancelled{Job: "j"}, "no job with this id is open"},
		{"a running job is retried", running(), &subjects.Retried{Job: "j"}, "no job with this id has failed or was cancelled"},
		{"a job finishes too early", running(), &subjects.JobFinished{Job: "j"}, "no such job is complete"},
		{"an unknown job fails", nil, &subjects.JobFailed{Job: "j"}, "no such job runs"},

		{"a task of no job", running(), assigned(func(e *subjects.Assigned) { e.Job = "k" }), "no such job runs"},
		{"a task that is not there", running(), assigned(func(e *subjects.Assigned) { e.Task = 2 }), "the job has no such task"},
		{"a stage that is not there", running(), assigned(func(e *subjects.Assigned) { e.Stage = 2 }), "the job has no such task"},
		{"a task that is held", running(), assigned(func(e *subjects.Assigned) { e.Task = 0 }), "the task is not waiting"},
		{"a stage that is not ready", running(), assigned(func(e *subjects.Assigned) { e.Stage, e.Task = 1, 0 }), "an earlier stage or job is not done"},
		{"a slot that is taken", running(), assigned(func(e *subjects.Assigned) { e.Slot = 0 }), "the slots are not free"},
		{"a slot that is not there", running(), assigned(func(e *subjects.Assigned) { e.Slot = 1 << 31 }), "the slots are not free"},
		{"more slots than the task asks for", running(), assigned(func(e *subjects.Assigned) { e.Slot, e.Width = 0, 2 }), "the slots are not free"},
		{"an older incarnation", running(), assigned(func(e *subjects.Assigned) { e.Term = 9 }), "the host accepts no tasks, or has joined again since"},
		{"an unknown host", running(), assigned(func(e *subjects.Assigned) { e.Host = "f" }), "the host accepts no tasks, or has joined again since"},
		{"a paused pool", append(running(), &subjects.PoolPaused{}), assigned(func(*subjects.Assigned) {}), "the host accepts no tasks, or has joined again since"},
		{"a paused host", append(running(), &subjects.Paused{Host: "h"}), assigned(func(*subjects.Assigned) {}), "the host accepts no tasks, or has joined again since"},
		{"a draining host", append(running(), &subjects.Drained{Host: "h"}), assigned(func(*subjects.Assigned) {}), "the host accepts no tasks, or has joined again since"},
		{"a host without memory", []subjects.Event{with(joined, func(e *subjects.Joined) { e.Memory = 7 }), other, submitted, admitted, given},
			assigned(func(*subjects.Assigned) {}), "the host's memory is promised to others"},

		{"an unknown attempt", running(), finish(func(e *subjects.Finished) { e.Attempt = 4 }), "no such attempt is known, or it is gone"},
		{"another host's attempt", running(), finish(func(e *subjects.Finished) { e.Host = "g" }), "the attempt is another host's or another task's"},
		{"another job's attempt", running(), finish(func(e *subjects.Finished) { e.Job = "k" }), "the attempt is another host's or another task's"},
		{"another task's attempt", running(), finish(func(e *subjects.Finished) { e.Task = 1 }), "the attempt is another host's or another task's"},
		{"a report of an older incarnation", append(running(), joined), finished, "the host is unknown, or has joined again since"},
		{"an attempt ends twice", append(running(), finished), finished, "no such attempt is known, or it is gone"},
		{"an attempt is revoked twice", append(running(), &subjects.Revoked{Host: "h", Job: "j", Attempt: 5}),
			&subjects.Revoked{Host: "h", Job: "j", Attempt: 5}, "no such attempt runs on the host, or it was revoked before"},
		{"another host's attempt is revoked", running(), &subjects.Revoked{Host: "g", Job: "j", Attempt: 5}, "no such attempt runs on the host, or it was revoked before"},

		{"an older incarnation leaves", append(running(), joined), &subjects.Left{Host: "h", Term: 1}, "the host is unknown, or has joined again since"},
		{"a host is lost twice", append(running(), lost), lost, "the host is unknown, has joined again since, or is lost already"},
		{"an unknown host is paused", nil, &subjects.Paused{Host: "h"}, "no such host"},
		{"outputs of a present host are lost", append(running(), finished),
			&subjects.OutputLost{Host: "h", Job: "j", Tasks: []uint32{0}}, "no such job waits for a lost host's outputs"},
		{"outputs that were elsewhere are lost", append(running(), finished, &subjects.Lost{Host: "g", Term: 2}),
			&subjects.OutputLost{Host: "g", Job: "j", Tasks: []uint32{0, 1, 2}}, "no such output was kept there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := &script{t, New()}
			sc.must(c.log...)
			if v := sc.say(c.e); v.Outcome != Void || v.Why != c.why {
				t.Errorf("%T is %+v, want void: %s", c.e, v, c.why)
			}
		})
	}
}

func TestTheLivesOfATask(t *testing.T) {
	at := func(state TaskState) func(*State) bool {
		return func(s *State) bool { return s.jobs["j"].Stages[0].at(0).state == state }
	}
	second := func(host string, term uint64) subjects.Event {
		return &subjects.Assigned{Host: host, Job: "j", Term: term, Width: 1, Try: 2}
	}
	for _, c := range []struct {
		name   string
		events []subjects.Event // after running()
		holds  func(*State) bool
	}{
		{"finished is done", []subjects.Event{finished}, at(Done)},
		{"evicted waits", []subjects.Event{&subjects.Evicted{Host: "h", Job: "j", Fact: fact}}, at(Waiting)},
		{"declined waits", []subjects.Event{&subjects.Declined{Host: "h", Job: "j", Fact: fact}}, at(Waiting)},
		{"revoked waits", []subjects.Event{&subjects.Revoked{Host: "h", Job: "j", Attempt: 5}}, at(Waiting)},
		{"lost waits", []subjects.Event{lost}, at(Waiting)},
		{"failed waits", []subjects.Event{failed}, at(Waiting)},
		{"failed again is dead", []subjects.Event{failed, second("h", 1),
			with(failed, func(e *subjects.Failed) { e.Attempt = 7 })}, at(Dead)},
		{"dead and retried waits", []subjects.Event{failed, second("h", 1),
			with(failed, func(e *subjects.Failed) { e.Attempt = 7 }),
			&subjects.JobFailed{Job: "j"}, &subjects.Retried{Job: "j"}}, at(Waiting)},
		{"a lost host's output waits again", []subjects.Event{finished, lost,
			&subjects.OutputLost{Host: "h", Job: "j", Tasks: []uint32{0}}}, at(Waiting)},
		{"a revoked attempt may still commit", []subjects.Event{&subjects.Revoked{Host: "h", Job: "j", Attempt: 5}, finished}, at(Done)},
		{"a lost attempt may still commit, though another holds the task",
			[]subjects.Event{lost, second("g", 2), finished}, func(s *State) bool {
				return at(Done)(s) && s.attempts.find(7).Unwanted() && s.jobs["j"].Stages[0].Held == 0
			}},
		{"the second finish of a task is no commit", []subjects.Event{lost, second("g", 2), finished,
			with(finished, func(e *subjects.Finished) { e.Host, e.Term, e.Attempt, e.Manifest = "g", 2, 7, subjects.Digest{2} })},
			func(s *State) bool { return s.jobs["j"].Stages[0].at(0).manifest == subjects.Digest{1} }},
		{"a host that comes back takes its task again", []subjects.Event{lost, joined},
			func(s *State) bool { return at(Held)(s) && s.attempts.find(5).Holds() }},
		{"unless another took it", []subjects.Event{lost, second("g", 2), joined},
			func(s *State) bool { return s.attempts.find(7).Holds() && s.attempts.find(5).Unwanted() }},
		{"a cancelled job's attempt is unwanted", []subjects.Event{&subjects.Cancelled{Job: "j"}},
			func(s *State) bool { return s.attempts.find(5).Unwanted() }},
		{"a cancelled job's finish is no commit", []subjects.Event{&subjects.Cancelled{Job: "j"}, finished}, at(Waiting)},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := &script{t, New()}
			sc.must(running()...)
			sc.must(c.events...)
			if err := sc.s.broken(); err != nil {
				t.Error(err)
			}
			if !c.holds(sc.s) {
				t.Errorf("task %+v, attempts %+v: not what the case wants", sc.s.jobs["j"].Stages[0].at(0), sc.s.attempts.all())
			}
		})
	}
}

// A place ahead takes a task of one core; one of two must get two slots.
func TestPlacesAhead(t *testing.T) {
	sc := &script{t, New()}
	job := twoStages()
	job.Stages[0].Tasks, job.Stages[1] = 9, spec.Stage{Name: "wide", Argv: []string{"true"}, Tasks: 9, CPU: 2, Memory: 1}
	sc.must(with(joined, func(e *subjects.Joined) { e.Ahead, e.Memory = 2, 100 }), &subjects.Submitted{Job: "j", Spec: job}, admitted)
	h := sc.s.hosts["h"]
	give := func(stage, task, slot, width uint32) bool {
		e := &subjects.Assigned{Host: "h", Job: "j", TaskID: subjects.TaskID{Stage: stage, Task: task}, Term: 1, Slot: slot, Width: width}
		return sc.say(e).Outcome == Accepted
	}
	for _, c := range []struct {
		stage, slot, width uint32
		accepted           bool
		busy, waiting      int
	}{
		{1, 1, 2, false, 0, 0}, // half a slot, half a place ahead
		{1, 2, 2, false, 0, 0}, // both places ahead
		{0, 2, 1, true, 1, 0},  // slots are free: it does not wait
		{0, 4, 1, false, 1, 0}, // beyond all places
		{0, 0, 1, true, 2, 0},
		{0, 0, 1, false, 2, 0}, // taken
		{0, 1, 1, true, 2, 1},
		{0, 3, 1, true, 2, 2},
	} {
		ok := give(c.stage, uint32(sc.s.Seq%9), c.slot, c.width)
		if ok != c.accepted || h.Busy() != c.busy || h.Waiting() != c.waiting {
			t.Errorf("%d from %d on: accepted %v, %d busy, %d wait; want %+v", c.width, c.slot, ok, h.Busy(), h.Waiting(), c)
		}
	}
}

func TestBackoffDoubles(t *testing.T) {
	sc := &script{t, New()}
	job := twoStages()
	job.Stages[0].Retries = 1000
	sc.must(joined, &subjects.Submitted{Job: "j", Spec: job}, admitted)
	st := sc.s.jobs["j"].Stages[0]
	for i := range 12 {
		sc.must(given)
		id := sc.s.Seq
		sc.must(&subjects.Failed{Host: "h", Job: "j", Fact: subjects.Fact{Term: 1, Attempt: id}})
		failed := time.Unix(int64(sc.s.Seq), 0).UnixNano()
		wait := st.Wake(failed) - failed
		if want := int64(time.Second) << min(i, 10); wait != want {
			t.Fatalf("after failure %d the task waits %d ns, want %d", i+1, wait, want)
		}
	}
	var c Cursor
	if task, _ := st.Next(time.Unix(0, 0).UnixNano(), &c); task != 1 {
		t.Errorf("Next() = task %d, want 1, since task 0 waits for its backoff", task)
	}
}

func TestATaskThatFailsForEverDies(t *testing.T) {
	sc := &script{t, New()}
	job := twoStages()
	job.Stages[0].Retries = 1000
	sc.must(joined, &subjects.Submitted{Job: "j", Spec: job}, admitted)
	for range 255 {
		sc.must(given, &subjects.Failed{Host: "h", Job: "j", Fact: subjects.Fact{Term: 1, Attempt: sc.s.Seq + 1}})
	}
	if task, dead := sc.s.jobs["j"].Dead(); !dead || task.Task != 0 {
		t.Errorf("Dead() = %+v, %v after 255 failures, want task 0: its counter holds no more", task, dead)
	}
}
