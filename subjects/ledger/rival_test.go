package ledger

import (
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// contested is a log at whose end attempt 5 holds task 0 on host h, and attempt 6 on host g is its
// rival.
func contested() []subjects.Event { return append(running(), rivalOn("g", 2, 0)) }

func rivalOn(host string, term uint64, slot uint32) subjects.Event {
	return &subjects.Assigned{Host: host, Job: "j", Term: term, Slot: slot, Width: 1, Try: 2, Rival: true}
}

var rivalFact = subjects.Fact{Term: 2, Attempt: 6}

func TestTheLivesOfARival(t *testing.T) {
	rivalFinished := &subjects.Finished{Host: "g", Job: "j", Fact: rivalFact, Manifest: subjects.Digest{2}}
	rivalFailed := &subjects.Failed{Host: "g", Job: "j", Fact: rivalFact}
	holder := func(id uint64) func(*State) bool {
		return func(s *State) bool {
			st := s.jobs["j"].Stages[0]
			return st.at(0).state == Held && st.at(0).attempt == id && st.Held == 1
		}
	}
	alone := func(s *State) bool { return holder(5)(s) && s.jobs["j"].Stages[0].Rivals() == 0 }
	heir := func(s *State) bool {
		return holder(6)(s) && s.attempts.find(6).Holds() && !s.attempts.find(6).Rival
	}
	for _, c := range []struct {
		name   string
		events []subjects.Event // after contested()
		holds  func(*State) bool
	}{
		{"both are wanted, one holds", nil, func(s *State) bool {
			return holder(5)(s) && !s.attempts.find(5).Unwanted() && !s.attempts.find(6).Unwanted() && !s.attempts.find(6).Holds()
		}},
		{"the rival's finish commits", []subjects.Event{rivalFinished}, func(s *State) bool {
			return s.jobs["j"].Stages[0].at(0).manifest == subjects.Digest{2} && s.attempts.find(5).Unwanted()
		}},
		{"the holder's finish commits", []subjects.Event{finished}, func(s *State) bool {
			return s.jobs["j"].Stages[0].at(0).manifest == subjects.Digest{1} && s.attempts.find(6).Unwanted()
		}},
		{"the second finish is no commit", []subjects.Event{finished, rivalFinished}, func(s *State) bool {
			return s.jobs["j"].Stages[0].at(0).manifest == subjects.Digest{1}
		}},
		{"a holder that fails leaves the task, and a retry", []subjects.Event{failed}, func(s *State) bool {
			return heir(s) && s.jobs["j"].Stages[0].at(0).fails == 1
		}},
		{"an evicted one leaves the task", []subjects.Event{&subjects.Evicted{Host: "h", Job: "j", Fact: fact}}, heir},
		{"one that vanished too", []subjects.Event{&subjects.Evicted{Host: "h", Job: "j", Fact: fact, Reason: subjects.ReasonVanished}}, heir},
		{"a declined one too", []subjects.Event{&subjects.Declined{Host: "h", Job: "j", Fact: fact}}, heir},
		{"a revoked one too", []subjects.Event{&subjects.Revoked{Host: "h", Job: "j", Attempt: 5}}, heir},
		{"a lost one too", []subjects.Event{lost}, heir},
		{"who comes back finds it taken", []subjects.Event{lost, joined}, func(s *State) bool {
			return heir(s) && s.attempts.find(5).Unwanted()
		}},
		{"a rival that fails consumes no retry", []subjects.Event{rivalFailed}, func(s *State) bool {
			return alone(s) && s.jobs["j"].Stages[0].at(0).fails == 0 && s.jobs["j"].Totals.Failed == 0
		}},
		{"one that is evicted changes nothing", []subjects.Event{&subjects.Evicted{Host: "g", Job: "j", Fact: rivalFact}}, alone},
		{"nor does a declined one", []subjects.Event{&subjects.Declined{Host: "g", Job: "j", Fact: rivalFact}}, alone},
		{"nor a revoked one", []subjects.Event{&subjects.Revoked{Host: "g", Job: "j", Attempt: 6}}, alone},
		{"nor a lost one", []subjects.Event{&subjects.Lost{Host: "g", Term: 2}}, alone},
		{"an heir that fails consumes one", []subjects.Event{lost, rivalFailed}, func(s *State) bool {
			return s.jobs["j"].Stages[0].at(0).fails == 1 && s.jobs["j"].Stages[0].Waiting() == 2
		}},
		{"the last retry leaves the rival its chance", []subjects.Event{failed, rivalOn("h", 1, 0),
			&subjects.Failed{Host: "g", Job: "j", Fact: rivalFact}}, func(s *State) bool {
			return holder(8)(s) && s.jobs["j"].Stages[0].at(0).fails == 2
		}},
		{"and it is dead when that is gone too", []subjects.Event{failed, rivalOn("h", 1, 0),
			&subjects.Failed{Host: "g", Job: "j", Fact: rivalFact},
			&subjects.Failed{Host: "h", Job: "j", Fact: subjects.Fact{Term: 1, Attempt: 8}}}, func(s *State) bool {
			_, dead := s.jobs["j"].Dead()
			return dead
		}},
		{"a rival left over from before the task was done is not wanted by its next holder", []subjects.Event{
			finished, lost, &subjects.OutputLost{Host: "h", Job: "j", Tasks: []uint32{0}},
			&subjects.Assigned{Host: "g", Job: "j", Term: 2, Slot: 1, Width: 1, Try: 3}}, func(s *State) bool {
			return s.attempts.find(6).Unwanted() && s.attempts.find(10).Holds()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := &script{t, New()}
			sc.must(contested()...)
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

func TestARivalNeedsAHolderAndIsTheOnlyOne(t *testing.T) {
	for _, c := range []struct {
		name string
		log  []subjects.Event
		e    subjects.Event
	}{
		{"no attempt holds the task", running()[:4], rivalOn("g", 2, 0)},
		{"it has a rival", contested(), rivalOn("g", 2, 1)},
		{"the task is done", append(running(), finished), rivalOn("g", 2, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := &script{t, New()}
			sc.must(c.log...)
			if v := sc.say(c.e); v.Outcome != Void || v.Why != "the task has no running attempt, or already a second one" {
				t.Errorf("Apply(%T) = %+v, want void: the task has no running attempt, or already a second one", c.e, v)
			}
		})
	}
}

// Rivals are rare and tasks are many: whatever is kept of rivals is kept
// beside the tasks.
func TestManyRivalsAreKeptInOrder(t *testing.T) {
	sc := &script{t, New()}
	job := spec.Job{Name: "job", Type: "job", Stages: []spec.Stage{{Name: "one", Argv: []string{"true"}, Tasks: 50, CPU: 1, Memory: 1}}}
	sc.must(&subjects.Joined{Host: "h", Slots: 50, Memory: 1000}, &subjects.Joined{Host: "g", Slots: 50, Memory: 1000},
		&subjects.Submitted{Job: "j", Spec: job}, admitted)
	for i := range uint32(50) {
		task := subjects.TaskID{Task: i * 7 % 50}
		sc.must(&subjects.Assigned{Host: "h", Job: "j", TaskID: task, Term: 1, Slot: i, Width: 1, Try: 1},
			&subjects.Assigned{Host: "g", Job: "j", TaskID: task, Term: 2, Slot: i, Width: 1, Try: 2, Rival: true})
	}
	sc.must(&subjects.Lost{Host: "h", Term: 1})
	if err := sc.s.broken(); err != nil {
		t.Fatal(err)
	}
	if st := sc.s.jobs["j"].Stages[0]; st.Held != 50 || st.Rivals() != 0 {
		t.Errorf("%d tasks are held, %d rivals are left; want 50 and none", st.Held, st.Rivals())
	}
}
