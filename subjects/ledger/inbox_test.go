package ledger

import (
	"testing"
	"time"

	"lull/subjects"
)

func TestAnotherInboxIsReadFromItsBeginning(t *testing.T) {
	for _, test := range []struct {
		about       string
		before, led *subjects.Led
		inbox       uint64
	}{
		{"the same inbox", &subjects.Led{Inbox: 1, InboxLast: 9}, &subjects.Led{Inbox: 1, InboxLast: 9}, 7},
		{"another one", &subjects.Led{Inbox: 1, InboxLast: 9}, &subjects.Led{Inbox: 2, InboxLast: 9}, 0},
		{"the first that is named", &subjects.Led{}, &subjects.Led{Inbox: 2, InboxLast: 7}, 7},
		{"the first that is named, which is too short", &subjects.Led{}, &subjects.Led{Inbox: 2, InboxLast: 6}, 0},
		{"an actor that reads none", &subjects.Led{Inbox: 1, InboxLast: 9}, &subjects.Led{}, 7},
	} {
		s := New()
		for i, e := range []subjects.Event{test.before, &subjects.Submitted{Job: "j-1", Spec: twoStages(), Inbox: 7}, test.led} {
			if l, ok := e.(*subjects.Led); ok {
				l.Actor, l.Partition = "admission", "all"
			}
			s.Apply(uint64(i+1), time.Unix(1, 0), e)
		}
		b, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		again := New()
		if err := again.Restore(b); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*State{s, again} {
			if s.Inbox != test.inbox || s.Job("j-1").Inbox != test.inbox {
				t.Errorf("%s: Inbox of the pool, of the job = %d, %d, want %d for both", test.about, s.Inbox, s.Job("j-1").Inbox, test.inbox)
			}
		}
	}
}
