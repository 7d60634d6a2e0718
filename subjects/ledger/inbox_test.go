package ledger

import (
	"math"
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

// A wrong entry must not make all later messages count as dealt with, nor may a service that has no inbox have the
// messages of admission's read again.
func TestANumberBeyondTheInboxIsCorrected(t *testing.T) {
	led := func(actor string, inbox int64, last uint64) *subjects.Led {
		return &subjects.Led{Actor: actor, Partition: subjects.WholePool, Inbox: inbox, InboxLast: last}
	}
	for _, test := range []struct {
		about string
		inbox uint64 // that an entry names
		then  *subjects.Led
		want  uint64
	}{
		{"the highest number", math.MaxUint64, led("admission", 1, 9), 9},
		{"messages that came while the term was opened", 12, led("admission", 1, 9), 12},
		{"another service", 7, led("slotter", 2, 9), 7},
	} {
		s := New()
		for i, e := range []subjects.Event{led("admission", 1, 9), &subjects.Rejected{Job: "j", Inbox: test.inbox}, test.then} {
			s.Apply(uint64(i+1), time.Unix(1, 0), e)
		}
		if s.Inbox != test.want || s.InboxCreated != 1 {
			t.Errorf("%s: Inbox = %d of inbox %d, want %d of inbox 1", test.about, s.Inbox, s.InboxCreated, test.want)
		}
	}
}
