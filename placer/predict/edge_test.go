package predict_test

import (
	"math"
	"strings"
	"testing"

	"lull/placer/predict"
	"lull/test/papers/twin"
)

func TestHeldOutputsAreFetchedFromWhereTheyStand(t *testing.T) {
	app := &predict.Application{Stages: []predict.Stage{
		{Held: []predict.Held{{Host: 2, Bytes: 200 * mb, Files: 2}}},
		{From: []predict.From{{Stage: 0}}, Tasks: 2, Gives: 1, Curve: flat(5)},
	}}
	s := pool(2, 50*mb, 50*mb) // the output stands in the other rack
	const want = 200/50. + 5
	if got := seconds(t, app, s, 0, 1); math.Abs(got-want) > 1e-6 {
		t.Errorf("predicted %v s, want %v", got, want)
	}
	if got := twin.Seconds(app, s, []int{0, 1}); math.Abs(got-want) > 1e-6 {
		t.Errorf("the twin says %v s, want %v", got, want)
	}
	if got := seconds(t, app, s, 2); math.Abs(got-5) > 1e-6 {
		t.Errorf("predicted %v s where the output stands, want 5", got)
	}
}

// TestSameIsPredictedOnAnyHost: where a task reads one task's output, the prediction takes it to stand on
// any of the hosts.
func TestSameIsPredictedOnAnyHost(t *testing.T) {
	app := &predict.Application{Stages: []predict.Stage{
		{Tasks: 40, Input: 100 * mb, Gives: 1, Curve: flat(10)},
		{From: []predict.From{{Stage: 0, Kind: predict.Same}}, Tasks: 40, Gives: 1, Curve: flat(5)},
	}}
	// Two waves of 20 tasks. Half of what a rack's ten tasks read stands in the other rack: 500 MB.
	got := seconds(t, app, pool(5, 50*mb, 50*mb), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	if want := 2 * (10 + 500/50. + 5); math.Abs(got-want) > 1e-6 {
		t.Errorf("predicted %v s, want %v", got, want)
	}
}

func TestCrossedCountsBytesOnUplinks(t *testing.T) {
	s := pool(1, 50*mb, 200*mb)
	p, err := predict.New(mapReduce(4, 4, 100*mb), s)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Predict([]int{0, 1})
	for _, link := range []int{s.Tree.Up(0), s.Tree.Down(0), s.Tree.Up(1), s.Tree.Down(1)} {
		if got := p.Crossed()[link]; math.Abs(got-100*mb) > 1 {
			t.Errorf("link %d: %v bytes, want 100 MB", link, got)
		}
	}
	// Two seconds of 17 move data; an idle core for each of four slots does the rest.
	if math.Abs(r.Moving()-2/17.) > 1e-6 || math.Abs(r.Harvested-4*15) > 1e-6 {
		t.Errorf("Moving(), Harvested = %v, %v, want 2/17, 60", r.Moving(), r.Harvested)
	}
}

func TestNoSlotNoEnd(t *testing.T) {
	s := pool(1, 50*mb)
	s.Hosts[0].Idle = 0.01
	if got := seconds(t, mapReduce(1, 1, 0), s, 0); !math.IsInf(got, 1) {
		t.Errorf("prediction on a host that leaves nothing = %v s, want infinity", got)
	}
	if got := seconds(t, mapReduce(1, 1, 0), s); !math.IsInf(got, 1) {
		t.Errorf("prediction on no host = %v s, want infinity", got)
	}
}

func TestNewNamesContradictions(t *testing.T) {
	for want, spoil := range map[string]func(*predict.Application, *predict.Snapshot){
		"reads stage 1":            func(a *predict.Application, _ *predict.Snapshot) { a.Stages[1].From[0].Stage = 1 },
		"stage 0: it has 0 tasks":  func(a *predict.Application, _ *predict.Snapshot) { a.Stages[0].Tasks = 0 },
		"no completion-time curve": func(a *predict.Application, _ *predict.Snapshot) { a.Stages[0].Curve = nil },
		"its input, selectivity":   func(a *predict.Application, _ *predict.Snapshot) { a.Stages[0].Gives = math.NaN() },
		"held by host 9":           func(a *predict.Application, _ *predict.Snapshot) { a.Stages[0].Held = []predict.Held{{Host: 9}} },
		"offers 1 hosts":           func(_ *predict.Application, s *predict.Snapshot) { s.Hosts = s.Hosts[:1] },
		"rack a: its rate is 0":    func(_ *predict.Application, s *predict.Snapshot) { s.Tree.Racks[0].Up = 0 },
	} {
		app, s := mapReduce(2, 2, mb), pool(2, 50*mb)
		spoil(app, s)
		if _, err := predict.New(app, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New() = %v, want an error that says %q", err, want)
		}
	}
}

func TestObjectives(t *testing.T) {
	quick, thrifty := predict.Result{Seconds: 10, Harvested: 9}, predict.Result{Seconds: 20, Harvested: 8}
	if !predict.Fast.Better(quick, thrifty) || !predict.Cheap.Better(thrifty, quick) {
		t.Errorf("want Fast to prefer %+v, and Cheap %+v", quick, thrifty)
	}
}
