package ledger

import (
	"testing"
	"time"

	"lull/subjects"
)

// A host that never comes back keeps its attempts, their slots and their jobs until an operator
// gives it up. Its later reports are void.
func TestAHostThatNeverReturnsIsGivenUp(t *testing.T) {
	gone := map[string]subjects.Event{
		"lost": &subjects.Lost{Host: "a", Term: 3},
		"left": &subjects.Left{Host: "a", Term: 3},
	}
	for _, by := range []subjects.Event{&subjects.Lost{Host: "a", Term: 3, Forget: true}, &subjects.Drained{Host: "a", Forget: true}} {
		for how, away := range gone {
			s, seq := New(), uint64(0)
			say := func(e subjects.Event) Change {
				seq++
				return s.Apply(seq, time.Unix(int64(seq), 0), e)
			}
			say(&subjects.Submitted{Job: "j", Spec: twoStages()})
			say(&subjects.Admitted{Job: "j"})
			say(&subjects.Joined{Host: "a", Slots: 1, Memory: 1 << 40})
			say(&subjects.Assigned{Host: "a", Job: "j", Term: 3, Width: 1})
			if v := say(by); v.Outcome != Void {
				t.Errorf("%T of a present host = %+v, want void", by, v)
			}
			say(away)
			say(&subjects.Cancelled{Job: "j"})
			if j := s.Job("j"); j.attempts != 1 {
				t.Fatalf("%s: attempts of the job = %d, want 1", how, j.attempts)
			}
			if v := say(by); v.Outcome != Accepted {
				t.Fatalf("%s: %T is void: %s, want it accepted", how, by, v.Why)
			}
			if h, j := s.Host("a"), s.Job("j"); h.taken() != 0 || j.attempts != 0 || !h.Lost || h.Drain || j.Rest == 0 {
				t.Errorf("%s, then %T: slots taken, attempts = %d, %d, want 0, 0 and the host lost", how, by, h.taken(), j.attempts)
			}
			fact := subjects.Fact{Term: 3, Attempt: 4}
			if v := say(&subjects.Finished{Host: "a", Job: "j", Fact: fact}); v.Outcome != Void {
				t.Errorf("%s, then %T, then a report of the host = %+v, want void", how, by, v)
			}
			say(&subjects.Joined{Host: "a", Slots: 1, Memory: 1 << 40})
			if h := s.Host("a"); !h.Open() || h.Away != 0 {
				t.Errorf("%s, then %T, then Joined: host open %v, away since %d, want open and 0", how, by, h.Open(), h.Away)
			}
		}
	}
}
