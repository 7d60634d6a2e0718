package core

import (
	"testing"

	"lull/actors"
	"lull/subjects"
)

// gapped is an actor that counts the gaps that it is told of.
type gapped struct {
	wanting
	gaps int
}

func (g *gapped) Gap() { g.gaps++ }

func TestAnActorThatBeginsAnywhereLearnsOfGaps(t *testing.T) {
	for _, test := range []struct {
		name       string
		first, seq uint64 // first entry of the log, last that was folded
		next       uint64 // entry that comes
		filter     string
		want       int
	}{
		{name: "from the beginning", first: 1, next: 1},
		{name: "the log goes on", first: 5, seq: 7, next: 8},
		{name: "the log begins right behind", first: 8, seq: 7, next: 8},
		{name: "trimmed before the start", first: 9, seq: 7, next: 9, want: 1},
		{name: "trimmed meanwhile", first: 5, seq: 7, next: 9, want: 1},
		{name: "a filter leaves entries out", first: 5, seq: 7, next: 9, filter: "lull.test.led.wanting.all"},
	} {
		actor := &gapped{}
		role := actors.Role{Name: "wanting", Version: 1, Anywhere: true, Filter: test.filter}.In("test")
		c := New(Config{Role: role, Pool: "test", Instance: "me", Actor: actor})
		c.seq = test.seq
		if !c.Begin(Moment{}, Log{LogInfo: actors.LogInfo{First: test.first, Last: test.next}}) {
			t.Fatalf("%s: Begin() = false, want true", test.name)
		}
		c.Fold(Moment{}, Arrival{Entry: &actors.Entry{Seq: test.next, Event: &subjects.Drained{Host: "h"}}})
		if actor.gaps != test.want || c.Seq() != test.next {
			t.Errorf("%s: %d gaps, folded up to %d, want %d, %d", test.name, actor.gaps, c.Seq(), test.want, test.next)
		}
	}
}
