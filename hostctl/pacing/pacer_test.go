package pacing

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"lull/hostctl/pace"
)

func mkfifo(path string) error { return unix.Mkfifo(path, 0o644) }

// pretended is a host of two cores, on which sorts do so much a core, and report it.
type pretended struct {
	t       *testing.T
	dir     string
	caps    map[int]float64
	tasks   map[int]*pretendedTask // by slot
	pacer   *Pacer
	learnt  []*pace.Learnt
	log     strings.Builder
	seconds float64
}

type pretendedTask struct {
	*Task
	gain  float64 // bytes/s a core
	total float64
	dead  bool
	rates []float64
}

func pretend(t *testing.T) *pretended {
	h := &pretended{t: t, dir: t.TempDir(), caps: map[int]float64{}, tasks: map[int]*pretendedTask{}}
	h.pacer = New(h, 2, slog.New(slog.NewTextHandler(&h.log, nil)))
	h.pacer.OnLearnt = func(_ *Task, l *pace.Learnt) { h.learnt = append(h.learnt, l) }
	return h
}

func (h *pretended) Pace(slot int, cores float64) error {
	h.caps[slot] = cores
	return nil
}

func (h *pretended) InForce(slot int) float64 {
	if c := h.caps[slot]; c > 0 {
		return c
	}
	return 2
}

func (h *pretended) add(slot int, gain, reference float64) *pretendedTask {
	x := &pretendedTask{gain: gain}
	x.Task = &Task{
		ID: uint64(slot + 1), Slot: slot, Most: 1, Kind: func() string { return "sort" },
		Live: func() bool { return !x.dead }, Reference: reference,
		Meter: Meter{report: filepath.Join(h.dir, fmt.Sprint(slot)), others: func() ([]int, int) { return nil, 0 }},
	}
	h.tasks[slot] = x
	h.pacer.Set(x.Task)
	return x
}

// pass simulates samples.
func (h *pretended) pass(samples int) {
	for range samples {
		h.seconds += pace.Sample.Seconds()
		for slot, x := range h.tasks {
			before := x.total
			if !x.dead {
				x.total += x.gain * min(h.InForce(slot), 1) * pace.Sample.Seconds()
			}
			x.rates = append(x.rates, (x.total-before)/pace.Sample.Seconds())
			if err := os.WriteFile(x.Meter.report, fmt.Appendf(nil, "%f\n", x.total), 0o644); err != nil {
				h.t.Fatal(err)
			}
		}
		h.pacer.step(moment.Add(time.Duration(h.seconds * float64(time.Second))))
	}
}

func (x *pretendedTask) last() float64 { return x.rates[len(x.rates)-1] }

func TestATypeShowsItselfOnceAndIsThenFollowed(t *testing.T) {
	h := pretend(t)
	first, second := h.add(0, 50e6, 20e6), h.add(1, 50e6, 10e6)
	h.pass(80)
	if len(h.learnt) != 1 || h.learnt[0].Refused != "" || math.Abs(h.learnt[0].Model.Steady(1)/50e6-1) > 0.02 {
		t.Fatalf("learnt = %+v, want one model of 50e6 a core", h.learnt)
	}
	if math.Abs(first.last()/20e6-1) > 0.03 || math.Abs(second.last()/10e6-1) > 0.03 {
		t.Errorf("they run at %.3g and %.3g, want 20e6 and 10e6", first.last(), second.last())
	}
	h.pacer.End(first.ID)
	if c := h.caps[0]; c > 0 {
		t.Errorf("cap left by a task that ended = %v, want 0", c)
	}
	delete(h.tasks, 0)
	third := h.add(0, 50e6, 5e6)
	h.pass(10)
	if len(h.learnt) != 1 || math.Abs(third.last()/5e6-1) > 0.03 {
		t.Errorf("throughput of the next task after 10 samples = %.3g, lessons = %d, want 5e6, 1", third.last(), len(h.learnt))
	}
}

// A model that no longer holds is forgotten, and shown again by the next task.
func TestAModelThatNoLongerHoldsIsShownAnew(t *testing.T) {
	h := pretend(t)
	h.pacer.mu.models["sort"] = pace.Model{A: 0, B: 50e6}
	x := h.add(0, 9e6, 4e6)
	for k := range 400 {
		h.pacer.Set(&Task{ID: x.ID, Reference: 4e6 + 3e6*float64(k%10)/10})
		h.pass(1)
	}
	if _, known := h.pacer.mu.models["sort"]; known {
		t.Fatal("the model of sort is known after a task with a fifth of the throughput, want it forgotten")
	}
	h.pacer.End(x.ID)
	delete(h.tasks, 0)
	h.add(0, 9e6, 4e6)
	h.pass(70)
	if len(h.learnt) != 1 || math.Abs(h.learnt[0].Model.Steady(1)/9e6-1) > 0.05 {
		t.Errorf("learnt = %+v, want one model of 9e6 a core", h.learnt)
	}
}

func TestReferenceChangesUnderWay(t *testing.T) {
	h := pretend(t)
	x := h.add(0, 50e6, 20e6)
	h.pass(80)
	h.pacer.Set(&Task{ID: x.ID, Reference: 35e6})
	h.pass(15)
	if math.Abs(x.last()/35e6-1) > 0.03 {
		t.Errorf("throughput = %.3g, want 35e6", x.last())
	}
}

func TestOutOfReachIsSaidOnceAndTakenBack(t *testing.T) {
	h := pretend(t)
	h.pacer.mu.models["sort"] = pace.Model{A: 0, B: 50e6}
	x := h.add(0, 50e6, 90e6)
	h.pass(100)
	if n := strings.Count(h.log.String(), "cannot reach its rate"); n != 1 {
		t.Errorf("lines on a rate out of reach = %d, want 1:\n%s", n, h.log.String())
	}
	h.pacer.Set(&Task{ID: x.ID, Reference: 20e6})
	h.pass(60)
	if n := strings.Count(h.log.String(), "reaches its rate again"); n != 1 || math.Abs(x.last()/20e6-1) > 0.03 {
		t.Errorf("lines on a rate in reach again = %d, throughput %.3g, want 1, 20e6", n, x.last())
	}
}

// Where a host has too little, the task with priority gets its claim and the others the rest.
// Together they stay within the host's cores.
func TestLowerPriorityGivesWayOnTheHost(t *testing.T) {
	h := pretend(t)
	h.pacer.mu.models["sort"] = pace.Model{A: 0, B: 50e6}
	h.pacer.Idle = func() float64 { return 0.8 }
	low, high := h.add(0, 50e6, 30e6), h.add(1, 50e6, 15e6)
	high.Priority = 2
	h.pass(60)
	if math.Abs(high.last()/15e6-1) > 0.03 || low.last() > 25.1e6 {
		t.Errorf("throughput with priority = %.3g, of the other %.3g, want 15e6, at most 25e6", high.last(), low.last())
	}
	if sum := h.caps[0] + h.caps[1]; sum > 0.8+1e-9 {
		t.Errorf("caps add up to %.2f cores, want at most the 0.8 that the primary leaves", sum)
	}
}

// A kind whose tasks end within a trial is not slowed by a trial each time. A task of that kind
// that lasts longer makes the next one a trial.
func TestBriefTasksAreTriedOnce(t *testing.T) {
	h := pretend(t)
	next := func(samples int) *pretendedTask {
		x := h.add(0, 50e6, 20e6)
		h.pass(1)
		defer h.pacer.End(x.ID)
		tried := *x.Task
		h.pass(samples)
		return &pretendedTask{Task: &tried}
	}
	if first := next(5); !first.trial {
		t.Error("trial of the first of its kind = false, want true")
	}
	if second := next(pace.Enough); second.trial {
		t.Error("trial of the second = true, want false: the first was brief")
	}
	if third := next(80); !third.trial {
		t.Error("trial of the third = false, want true: the second lasted")
	}
	if fourth := next(5); fourth.trial || len(h.learnt) != 2 || h.learnt[1].Refused != "" {
		t.Errorf("trial of the fourth = %v, learnt %+v, want false and a model from the third", fourth.trial, h.learnt)
	}
}

// Two thirds and a third stay so, whatever the host falls short of both by: here
// half of what their rates take.
func TestSharesAreCutAlike(t *testing.T) {
	h := pretend(t)
	h.pacer.mu.models["sort"] = pace.Model{A: 0, B: 50e6}
	h.pacer.cores = 0.75
	large, small := h.add(0, 45e6, 50e6), h.add(1, 55e6, 25e6) // a smaller cap gives more a core
	h.pass(80)
	if ratio := large.last() / small.last(); ratio < 1.9 || ratio > 2.1 {
		t.Errorf("throughputs = %.3g, %.3g, want twice as much for the first", large.last(), small.last())
	}
}

// A task with priority keeps its rate although it uses more than its model says. The others get
// what it leaves.
func TestWhatPriorityDoesNotTakeTheOthersHave(t *testing.T) {
	h := pretend(t)
	h.pacer.mu.models["sort"] = pace.Model{A: 0, B: 50e6}
	first, other := h.add(0, 40e6, 25e6), h.add(1, 50e6, 70e6)
	first.Priority, h.pacer.cores = 1, 1.5
	h.pass(60)
	if math.Abs(first.last()/25e6-1) > 0.05 {
		t.Errorf("with priority it runs at %.3g bytes/s, want 25e6", first.last())
	}
	if got := other.last(); got < 0.7*0.875*50e6 {
		t.Errorf("throughput of the other one = %.3g, want at least 0.7 of the 43.75e6 that are left", got)
	}
}

func TestATaskThatIsHeldUpRests(t *testing.T) {
	h := pretend(t)
	h.pacer.mu.models["sort"] = pace.Model{A: 0, B: 50e6}
	x := h.add(0, 50e6, 20e6)
	h.pass(20)
	cores := h.caps[0]
	x.dead = true // frozen for the primary's sake
	h.pass(50)
	x.dead = false
	h.pass(1)
	if math.Abs(h.caps[0]-cores) > 0.02 {
		t.Errorf("cap after a rest = %.2f, want %.2f as before", h.caps[0], cores)
	}
}

// While no task is paced, the loop does not wake; with one it wakes each sample. When it ends it
// releases the running tasks.
func TestNothingRunsWhileNothingIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := pretend(t)
		var samples atomic.Int64
		h.pacer.OnSample = func(*Task) { samples.Add(1) }
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { h.pacer.Run(ctx); close(done) }()
		<-time.After(time.Minute)
		if n := samples.Load(); n > 0 {
			t.Errorf("samples of nothing = %d, want 0", n)
		}
		x := h.add(0, 50e6, 20e6)
		<-time.After(10 * time.Second)
		if n := samples.Load(); n < 45 || n > 50 {
			t.Errorf("%d samples in 10 s, want 50", n)
		}
		h.pacer.End(x.ID)
		before := samples.Load()
		h.add(1, 50e6, 20e6)
		<-time.After(2 * pace.Sample)
		stop()
		<-done
		if c := h.caps[1]; c > 0 || samples.Load() == before {
			t.Errorf("cap left by the loop = %v after %d samples, want 0 and more than %d", c, samples.Load(), before)
		}
	})
}

// BenchmarkPacer is a host of sixteen paced tasks that are fed: one sample of all.
func BenchmarkPacer(b *testing.B) {
	h := &pretended{dir: b.TempDir(), caps: map[int]float64{}, tasks: map[int]*pretendedTask{}}
	h.pacer = New(h, 16, slog.New(slog.DiscardHandler))
	h.pacer.mu.models["sort"] = pace.Model{A: 0, B: 50e6}
	for slot := range 16 {
		x := h.add(slot, 50e6, 20e6)
		if err := os.WriteFile(x.Meter.report, []byte("1\n"), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		h.pacer.step(moment)
	}
}
