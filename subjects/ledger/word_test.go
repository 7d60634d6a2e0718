package ledger

import (
	"testing"
	"time"

	"lull/subjects"
)

// fold applies events to a state, a second apart.
func fold(s *State, events ...subjects.Event) {
	for _, e := range events {
		s.Apply(s.Seq+1, time.Unix(int64(s.Seq), 0), e)
	}
}

func again(t *testing.T, s *State) *State {
	t.Helper()
	b, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored := New()
	if err := restored.Restore(b); err != nil {
		t.Fatal(err)
	}
	return restored
}

// The operator's token in a subject proves something only while admission vouches for
// it. What a message claims is a claim in any case.
func TestAnOperatorIsProvenWhereAdmissionVouches(t *testing.T) {
	for _, test := range []struct {
		vouched           bool
		user, claim, want string
	}{
		{true, "olga", "ann@laptop", "olga"},
		{true, "", "ann@laptop", `"ann@laptop" (claimed)`},
		{false, "olga", "ann@laptop", `"ann@laptop" (claimed)`},
		{false, "olga", "", `"olga" (claimed)`},
		{true, "", "", ""},
	} {
		s := New()
		fold(s,
			&subjects.Led{Actor: "admission", Partition: "all", Vouched: test.vouched},
			&subjects.Led{Actor: "slotter", Partition: "all"}, // it vouches for nothing
			&subjects.Joined{Host: "a"}, &subjects.Joined{Host: "b"},
			&subjects.PoolPaused{User: test.user, Who: test.claim},
			&subjects.Paused{Host: "a", User: test.user, Who: test.claim},
			&subjects.Drained{Host: "b", User: test.user, Who: test.claim},
			&subjects.Shared{Queue: "q", Weight: 2, User: test.user, Who: test.claim},
		)
		for _, s := range []*State{s, again(t, s)} {
			q, _ := s.Queue("q")
			for about, w := range map[string]*Attribution{"pool": s.PausedBy, "paused": s.Host("a").HeldBy, "drained": s.Host("b").HeldBy, "queue": q.By} {
				if w.By() != test.want {
					t.Errorf("vouched %v, user %q, claim %q: %s by %s, want %s", test.vouched, test.user, test.claim, about, w.By(), test.want)
				}
			}
		}
		fold(s, &subjects.PoolResumed{}, &subjects.Resumed{Host: "a"}, &subjects.Resumed{Host: "b"})
		if s.PausedBy != nil || s.Host("a").HeldBy != nil || s.Host("b").HeldBy != nil {
			t.Errorf("PausedBy of the pool, HeldBy of a, b = %v, %v, %v after they were resumed, want none", s.PausedBy, s.Host("a").HeldBy, s.Host("b").HeldBy)
		}
	}
}

func TestAFormIsWrittenOnceAllItsReadersDeclareIt(t *testing.T) {
	const signed = subjects.FormatSigned
	s := New()
	check := func(want bool, host, about string) {
		t.Helper()
		for _, s := range []*State{s, again(t, s)} {
			if s.Reads(signed, host) != want {
				t.Errorf("%s: read on host %q is %v", about, host, !want)
			}
		}
	}
	check(true, "", "no instance ever led")
	fold(s, &subjects.Led{Actor: "admission", Partition: "all", Format: signed}, &subjects.Led{Actor: "slotter", Partition: "all"})
	check(false, "", "an earlier slotter")
	fold(s, &subjects.Led{Actor: "slotter", Partition: "all", Format: signed}, &subjects.Joined{Host: "old"}, &subjects.Joined{Host: "new", Format: signed})
	check(true, "", "both services")
	check(true, "new", "both services")
	check(false, "old", "an earlier agent")
	fold(s, &subjects.Led{Actor: "admission", Partition: "all"})
	check(false, "new", "an earlier admission leads again")
}

// Admission has recorded the user, as proven or as claimed.
func TestAJobNamesTheUserThatEndedIt(t *testing.T) {
	s := New()
	fold(s, &subjects.Submitted{Job: "j", Spec: twoStages()}, &subjects.Admitted{Job: "j"},
		&subjects.Cancelled{Job: "j", User: "olga", Who: "root@host", Why: "too late"})
	for _, s := range []*State{s, again(t, s)} {
		if j := s.Job("j"); j.By.By() != "olga" || j.Text != "too late" {
			t.Errorf("cancelled by %s: %q, want olga: too late", j.By.By(), j.Text)
		}
	}
	fold(s, &subjects.Retried{Job: "j", Who: "ann", Why: "after all"})
	for _, s := range []*State{s, again(t, s)} {
		if j := s.Job("j"); j.By.By() != `"ann" (claimed)` || j.By.Reason() != "after all" {
			t.Errorf(`opened again by %s: %q, want "ann" (claimed): after all`, j.By.By(), j.By.Reason())
		}
	}
}
