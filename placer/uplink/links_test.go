package uplink

import (
	"fmt"
	"math"
	"testing"
	"time"
)

var start = time.Unix(1_700_000_000, 0)

// declared is 10 MB/s for each link.
func declared(Link) float64 { return 10e6 }

func nothing(Link) float64 { return 0 }

// shuffle has tasks in two racks fetch from each other at once, so that links carry rate bytes/s, and ends.
func shuffle(l *Links, n int, up float64) {
	const down = 1e6 // what goes the other way
	const seconds, tasks = 10.0, 4
	stage := Stage{"j", uint32(n)}
	until := start.Add(time.Duration(n) * time.Hour).Add(time.Duration(seconds * 1e9))
	for range tasks {
		l.Add(stage, []Transfer{{From: "a", To: "b", Bytes: up * seconds / tasks, Seconds: seconds}}, until, declared)
		l.Add(stage, []Transfer{{From: "b", To: "a", Bytes: down * seconds / tasks, Seconds: seconds}}, until, declared)
	}
	l.JudgeStage(stage, until, declared, nothing)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 0.01*math.Abs(b) }

func TestALinkThatGivesLessIsLearnt(t *testing.T) {
	var l Links
	link := Link{"a", true}
	for n := range 3 {
		if got, learnt := l.Rate(link, 10e6, start.Add(time.Duration(n)*time.Hour)); learnt || got != 10e6 {
			t.Errorf("Rate after %d shuffles = %v, want 10e6 as declared", n, got)
		}
		shuffle(&l, n, 4e6)
	}
	now := start.Add(3 * time.Hour)
	if got, learnt := l.Rate(link, 10e6, now); !learnt || !near(got, 4e6) {
		t.Errorf("Rate() = %v, learnt %v, want 4e6, true", got, learnt)
	}
	for _, other := range []Link{{"a", false}, {"b", true}} { // they had room
		if got, learnt := l.Rate(other, 10e6, now); learnt {
			t.Errorf("Rate(%+v) = %v, learnt, want it as declared: it had room", other, got)
		}
	}
	if _, learnt := l.Rate(link, 4.2e6, now); learnt {
		t.Error("Rate of a link that gives what it is declared to is learnt, want it as declared")
	}
	if _, learnt := l.Rate(link, 10e6, now.Add(48*time.Hour)); learnt {
		t.Error("Rate two days later is learnt, want it as declared")
	}
}

func TestOneFastShuffleIsProof(t *testing.T) {
	var l Links
	for n := range 7 {
		shuffle(&l, n, 4e6)
	}
	shuffle(&l, 7, 9.5e6)
	now := start.Add(8 * time.Hour)
	if got, learnt := l.Rate(Link{"a", true}, 10e6, now); learnt {
		t.Errorf("Rate after a shuffle at 9.5 MB/s = %v, learnt, want it as declared", got)
	}
	for n := range trials {
		shuffle(&l, 8+n, 5e6)
	}
	if got, _ := l.Rate(Link{"a", true}, 10e6, now.Add(8*time.Hour)); !near(got, 5e6) {
		t.Errorf("Rate after as many slow shuffles as are kept = %v, want 5e6", got)
	}
}

func TestWhatSaysNothing(t *testing.T) {
	for name, happens := range map[string]func(l *Links, n int){
		"tasks one after the other": func(l *Links, n int) {
			until := start.Add(time.Duration(n) * time.Hour)
			for range 4 {
				until = until.Add(time.Minute)
				l.Add(Stage{"j", uint32(n)}, []Transfer{{From: "a", To: "b", Bytes: 20e6, Seconds: 10}}, until, declared)
			}
			l.JudgeStage(Stage{"j", uint32(n)}, until, declared, nothing)
		},
		"a short shuffle": func(l *Links, n int) {
			until := start.Add(time.Duration(n) * time.Hour)
			l.Add(Stage{"j", uint32(n)}, []Transfer{{From: "a", To: "b", Bytes: 5e6, Seconds: 5}}, until, declared)
			l.JudgeStage(Stage{"j", uint32(n)}, until, declared, nothing)
		},
		"a stage that is not over": func(l *Links, n int) {
			l.Add(Stage{"j", uint32(n)}, []Transfer{{From: "a", To: "b", Bytes: 100e6, Seconds: 100}}, start, declared)
		},
		"transfers within a rack, and nonsense": func(l *Links, n int) {
			for _, bad := range []Transfer{
				{"a", "a", 100e6, 100}, {"", "a", 100e6, 100}, {"a", "b", math.NaN(), 1}, {"a", "b", 1e9, math.NaN()}, {"a", "b", 1e9, 1e9}, {"a", "b", -1, 1},
			} {
				l.Add(Stage{"j", uint32(n)}, []Transfer{bad}, start, declared)
			}
			l.JudgeStage(Stage{"j", uint32(n)}, start, declared, nothing)
		},
		"an undeclared rack": func(l *Links, n int) {
			l.Add(Stage{"j", uint32(n)}, []Transfer{{From: "a", To: "b", Bytes: 100e6, Seconds: 100}}, start, nothing)
			l.JudgeStage(Stage{"j", uint32(n)}, start, nothing, nothing)
		},
	} {
		var l Links
		for n := range 5 {
			happens(&l, n)
		}
		if len(l.learnt) > 0 {
			t.Errorf("%s: learnt %+v, want nothing", name, l.learnt[0])
		}
	}
}

// What primaries move is part of what a link bears.
func TestPrimariesCount(t *testing.T) {
	var l Links
	for n := range 3 {
		stage := Stage{"j", uint32(n)}
		l.Add(stage, []Transfer{{From: "a", To: "b", Bytes: 30e6, Seconds: 10}}, start, declared)
		l.JudgeStage(stage, start, declared, func(Link) float64 { return 6e6 })
	}
	for _, link := range []Link{{"a", true}, {"b", false}} {
		if got, learnt := l.Rate(link, 10e6, start); learnt {
			t.Errorf("Rate(%+v) = %v, learnt, want it as declared", link, got)
		}
	}
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	var l Links
	for n := range 20_000 {
		l.Add(Stage{"j", uint32(n)}, []Transfer{{From: "a", To: "b", Bytes: 1e6, Seconds: 1}}, start.Add(time.Duration(n)*time.Second), declared)
	}
	if len(l.stages) > mostStages {
		t.Errorf("stages kept = %d, want at most %d", len(l.stages), mostStages)
	}
	for link, of := range l.moved {
		if len(of) > 2*mostSeconds {
			t.Errorf("seconds of %+v kept = %d, want at most %d", link, len(of), 2*mostSeconds)
		}
	}
}

// Any host may name a rack: no entry is made for one that the topology does not declare.
func TestLinksThatAreNotDeclaredAreNotFollowed(t *testing.T) {
	var l Links
	capacity := func(link Link) float64 {
		if link.Rack == "a" {
			return 10e6
		}
		return 0
	}
	for n := range 1000 {
		l.Add(Stage{"j", 0}, []Transfer{{From: "a", To: fmt.Sprint("r", n), Bytes: 1e6, Seconds: 1}}, start, capacity)
		l.Add(Stage{"j", 1}, []Transfer{{From: fmt.Sprint("r", n), To: "b", Bytes: 1e6, Seconds: 1}}, start, capacity)
	}
	if len(l.moved) != 1 || len(l.stages) != 1 || len(l.stages[0].bytes) != 1 {
		t.Errorf("%d links and %d stages are followed, want one of each", len(l.moved), len(l.stages))
	}
}

func TestASnapshotKeepsWhatWasLearnt(t *testing.T) {
	var l, again Links
	for n := range 3 {
		shuffle(&l, n, 4e6)
	}
	if err := again.Load(l.Save()); err != nil {
		t.Fatal(err)
	}
	if got, learnt := again.Rate(Link{"a", true}, 10e6, start); !learnt || !near(got, 4e6) {
		t.Errorf("Rate after Restore = %v, learnt %v, want 4e6, true", got, learnt)
	}
	for _, bad := range [][]*Learnt{
		{nil}, {{Link: Link{"b", true}}, {Link: Link{"a", true}}}, {{Trials: make([]Trial, trials+1)}}, {{Trials: []Trial{{Rate: math.NaN()}}}},
	} {
		if err := again.Load(bad); err == nil {
			t.Errorf("Load(%+v) = nil, want an error", bad)
		}
	}
}
