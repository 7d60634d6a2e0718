package guarding

import (
	"log/slog"
	"testing"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
	"lull/subjects"
)

// idleSensor is a primary that uses no CPU.
type idleSensor struct{}

func (idleSensor) Read() (guard.Waits, error) { return guard.Waits{}, nil }

// guardianOf guards as many tasks as tasks says, on a host that has no cgroups.
func guardianOf(t *testing.T, tasks *int) *Guardian {
	t.Helper()
	f := &fakeBounds{}
	gauges := (&cgroup.Tree{}).Gauges()
	t.Cleanup(gauges.Close)
	g, err := New(Config{
		Guard: guard.Config{Cores: 4}, Cores: 4, Gauges: gauges, Bounds: f, Settings: f, Alone: func() bool { return true }, Freeze: f.freeze, Yield: f.yield, Report: f.report,
		Usage: func() *subjects.Usage { return nil }, Tasks: func() int { return *tasks },
		Watch: func(time.Time, int, float64, bool, bool) {}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A guard without tasks looks once a second: the first task must wake it.
func TestWakeEndsARest(t *testing.T) {
	tasks := 0
	g := guardianOf(t, &tasks)
	now := time.Now()
	if pause := g.Turn(now); pause != lookIdle || g.Due() {
		t.Errorf("Turn without tasks = %v, due %v, want %v, false", pause, g.Due(), lookIdle)
	}
	g.Wake()
	if !g.Due() {
		t.Error("Due() = false after a task began, want true")
	}
	<-g.wakeups
	tasks = 1
	if pause := g.Turn(now); pause > slowInterval {
		t.Errorf("Turn beside a task = %v, want at most %v", pause, slowInterval)
	}
	if g.Wake(); g.Due() {
		t.Error("Due() = true of a guard that looks anyway, want false")
	}
}

// A new term is a new actor: it must learn that tasks are frozen.
func TestFrozenIsReportedInEachTerm(t *testing.T) {
	g := guardianOf(t, new(int))
	g.note(time.Now(), guard.Orders{Cores: 1, Frozen: true, Why: "frozen for a test"})
	if got, want := g.Frozen(), (actor.Guarded{Frozen: true, Why: "frozen for a test"}); got != want {
		t.Errorf("Frozen() = %+v, want %+v", got, want)
	}
	if cores, why := g.Allowed(); cores > 0 || why != "frozen for a test" {
		t.Errorf("Allowed() = %v cores, %q, want 0, frozen for a test", cores, why)
	}
}

func TestTheGuardsPause(t *testing.T) {
	s := idleSensor{}
	for _, c := range []struct {
		what string
		g    *Guardian
		want time.Duration
	}{
		{"batch work is raised", &Guardian{raised: true}, lookRaised},
		{"nothing runs", &Guardian{}, lookIdle},
		{"the primary works", &Guardian{tasks: 1, sampler: sampler{sensor: s, active: true}}, lookBoth},
		{"it rests", &Guardian{tasks: 1, sampler: sampler{sensor: s}}, lookBatch},
		{"without a sensor", &Guardian{tasks: 1, sampler: sampler{active: true}}, slowInterval},
	} {
		if got := c.g.pause(); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}
