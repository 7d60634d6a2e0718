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
				t.Errorf("%T: a present host is given up", by)
			}
			say(away)
			say(&subjects.Cancelled{Job: "j"})
			if j := s.Job("j"); j.attempts != 1 {
				t.Fatalf("%s: the job has %d attempts", how, j.attempts)
			}
			if v := say(by); v.Outcome != Accepted {
				t.Fatalf("%s: %T is void: %s", how, by, v.Why)
			}
			if h, j := s.Host("a"), s.Job("j"); h.taken() != 0 || j.attempts != 0 || !h.Lost || h.Drain || j.Rest == 0 {
				t.Errorf("%s, then %T: %d slots are taken, the job has %d attempts", how, by, h.taken(), j.attempts)
			}
			fact := subjects.Fact{Term: 3, Attempt: 4}
			if v := say(&subjects.Finished{Host: "a", Job: "j", Fact: fact}); v.Outcome != Void {
				t.Errorf("%s, then %T: a later report of the host counts", how, by)
			}
			say(&subjects.Joined{Host: "a", Slots: 1, Memory: 1 << 40})
			if h := s.Host("a"); !h.Open() || h.Away != 0 {
				t.Errorf("%s, then %T: the host that came back after all takes nothing", how, by)
			}
		}
	}
}
