package conformance

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"lull/actors"
	"lull/subjects"
)

var suite = []test{
	{"decides once", decidesOnce},
	{"two leaders", twoLeaders},
	{"takes over", takesOver},
}

func decidesOnce(t *testing.T, f Fixture) {
	h := start(t, config(f.Bus))
	h.leads()
	for i := range 20 {
		say(t, f.Bus, drain(fmt.Sprintf("h%d", i)))
	}
	h.until("all resumed", func(a *tally) bool { return a.state.Resumed == 20 })
	if err := h.end(); err != nil {
		t.Fatal(err)
	}
	if got := replay(t, f.Bus); got.Doubled != 0 || len(got.Pending) != 0 || got.Hash != h.actor.state.Hash {
		t.Errorf("replayed %+v, the shell had %+v", got, h.actor.state)
	}
}

// twoLeaders: the second stands by and folds, and does not write.
func twoLeaders(t *testing.T, f Fixture) {
	first := start(t, config(f.Bus))
	first.leads()
	second := start(t, config(f.Bus))
	say(t, f.Bus, drain("a"))
	folded := func(a *tally) bool { return a.state.Resumed == 1 }
	first.until("first folds", folded)
	second.until("second folds", folded)
	if second.shell.Leading() {
		t.Error("two shells lead")
	}
	if s := replay(t, f.Bus); s.Doubled != 0 {
		t.Errorf("a decision was made twice: %+v", s)
	}
}

// takesOver: when the leader leaves, the standby decides what is missing.
func takesOver(t *testing.T, f Fixture) {
	first, second := start(t, config(f.Bus)), (*host)(nil)
	first.leads()
	second = start(t, config(f.Bus))
	if err := first.end(); err != nil {
		t.Fatal(err)
	}
	say(t, f.Bus, drain("a"))
	second.until("the standby decides", func(a *tally) bool { return a.state.Resumed == 1 })
}

var _ = errors.Is
var _ = slices.Contains[[]int]
var _ subjects.Event
var _ actors.Bus
