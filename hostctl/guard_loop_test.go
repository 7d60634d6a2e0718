package hostctl

import (
	"errors"
	"os"
	"testing"
	"time"

	"lull/hostctl/actor"
)

// A guard that rests looks once a second: the first task must wake it.
func TestTheFirstTaskWakesTheGuard(t *testing.T) {
	w := newWorld(t)
	a, err := New(w.config("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		clear(a.mu.runs)
		if err := errors.Join(a.close(t.Context(), nil), a.store.Close()); err != nil {
			t.Error(err)
		}
	}()
	g := a.guardian
	if pause := g.turn(time.Now()); pause != lookIdle || len(g.nudged) != 0 {
		t.Errorf("with nothing to guard it looks again after %v, %d nudges", pause, len(g.nudged))
	}
	r := a.newRun(actor.Task{Attempt: 1})
	a.mu.runs[1] = r
	a.began(r, 0, "")
	if len(g.nudged) != 1 {
		t.Error("a task began, and the guard goes on resting")
	}
	<-g.nudged
	if pause := g.turn(time.Now()); pause > slowly {
		t.Errorf("beside a task it looks again after %v", pause)
	}
	a.began(r, 0, "")
	if len(g.nudged) != 0 {
		t.Error("a guard that looks anyway was nudged")
	}
}

// All agents of a host share the group that has the class: one that was killed while batch
// work was raised leaves it so, and perhaps nobody starts it again.
func TestTheGuardPutsBackWhatSomebodyElseRaised(t *testing.T) {
	w := newWorld(t)
	a, err := New(w.config("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(a.close(t.Context(), nil), a.store.Close()); err != nil {
			t.Error(err)
		}
	}()
	if !a.caps.Idle.OK() {
		t.Skip("needs an idle class")
	}
	now := time.Now()
	a.guardian.turn(now)
	if err := a.tree.Raise(true); err != nil {
		t.Fatal(err)
	}
	for look := range classPatience {
		a.guardian.turn(now.Add(time.Duration(look+1) * lookIdle))
	}
	if raised, err := a.guardian.eyes.gauges.Raised(); raised || err != nil {
		t.Errorf("seconds later it is raised: %v (%v)", raised, err)
	}
}

// How soon it looks again is for who has something to lose.
// What the guard lets go of at last must still be there.
func TestTheGuardEndsBeforeItsGroupsDo(t *testing.T) {
	w := newWorld(t)
	a, err := New(w.config("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, path := range append(a.slots[0].Group.Joins(), a.slots[0].Group.Unified()) {
		if path != "" {
			groups = append(groups, path)
		}
	}
	if len(groups) == 0 {
		t.Skip("no cgroups")
	}
	missing := 0
	a.guardian.hands.cores = lever[int]{what: "cores", in: -1, write: func(int) error {
		if _, err := os.Stat(groups[0]); err != nil {
			missing++
		}
		return errors.New("not now") // so that each turn tries again, the last one, too
	}}
	if err := w.run(a, w.config("alpha")).stop(); err != nil {
		t.Fatal(err)
	}
	if missing > 0 {
		t.Errorf("%d times the guard wrote to groups that were gone", missing)
	}
}

func TestTheGuardsPause(t *testing.T) {
	sensor := &ticking{}
	for _, c := range []struct {
		what string
		g    *guardian
		want time.Duration
	}{
		{"batch work is raised", &guardian{raised: true}, lookRaised},
		{"nothing runs", &guardian{}, lookIdle},
		{"the primary works", &guardian{tasks: 1, eyes: eyes{sensor: sensor, active: true}}, lookBoth},
		{"it rests", &guardian{tasks: 1, eyes: eyes{sensor: sensor}}, lookBatch},
		{"nobody says what it does", &guardian{tasks: 1, eyes: eyes{active: true}}, slowly},
	} {
		if got := c.g.pause(); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}
