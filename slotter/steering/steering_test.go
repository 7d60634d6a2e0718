package steering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lull/subjects/profile"
	"lull/subjects/spec"
)

func TestLengthsFollowThresholds(t *testing.T) {
	for last, want := range map[float64]Length{0: Medium, -1: Medium, math.NaN(): Medium, 0.1: Short, 172: Short, 173: Medium, 432: Medium, 433: Long, math.Inf(1): Long} {
		if got := Testbed.Length(last); got != want {
			t.Errorf("a job that ran for %v s is %s, want %s", last, got, want)
		}
	}
}

func TestThresholdsGiveEachLengthItsPartOfTheWork(t *testing.T) {
	harvest := func(of ...float64) func(profile.Pattern) float64 {
		return func(p profile.Pattern) float64 { return of[p] } // unpredictable, constant, periodic
	}
	var p Past
	for i := range enough - 1 {
		p.Add(Ended{Seconds: float64(1 + i), Work: 1})
	}
	p.Add(Ended{Seconds: 0, Work: 5})
	p.Add(Ended{Seconds: math.NaN(), Work: 5})
	if got := p.Thresholds(harvest(1, 1, 1)); got != Testbed {
		t.Errorf("Thresholds() after %d jobs = %v, want %v", len(p.Ends), got, Testbed)
	}
	for i := enough - 1; i < 100; i++ {
		p.Add(Ended{Seconds: float64(1 + i), Work: 1})
	}
	for _, c := range []struct {
		of   []float64
		want Thresholds
	}{
		{[]float64{1, 1, 2}, Thresholds{26, 76}}, // 25 short, 50 medium, 25 long
		{[]float64{0, 1, 0}, Thresholds{1, 1}},   // all are long
		{[]float64{1, 0, 0}, Thresholds{101, 101}},
		{[]float64{0, 0, 0}, Testbed},
	} {
		if got := p.Thresholds(harvest(c.of...)); got != c.want {
			t.Errorf("harvest %v: thresholds %v, want %v", c.of, got, c.want)
		}
	}
	for range 3 * remembered {
		p.Add(Ended{Seconds: 1000, Work: 1})
	}
	if got := p.Thresholds(harvest(1, 1, 1)); len(p.Ends) != remembered || got != (Thresholds{1000, 1000}) {
		t.Errorf("ends remembered = %d, thresholds %v, want %d, {1000 1000}", len(p.Ends), got, remembered)
	}
}

func TestNeedIsTheWidestLevel(t *testing.T) {
	stage := func(tasks, cpu uint32, from ...uint32) spec.Stage {
		st := spec.Stage{Tasks: tasks, CPU: cpu}
		for i, f := range from {
			if i%2 == 0 {
				st.From = append(st.From, spec.From{Stage: f})
			} else {
				st.After = append(st.After, f)
			}
		}
		return st
	}
	for i, c := range []struct {
		stages []spec.Stage
		want   int
	}{
		{[]spec.Stage{stage(5, 2)}, 10},
		{[]spec.Stage{stage(5, 1), stage(4, 1), stage(3, 1, 0)}, 9},
		{[]spec.Stage{stage(5, 1), stage(6, 1, 0), stage(6, 1, 0), stage(1, 1, 1, 2)}, 12},
		{[]spec.Stage{stage(1, 1), stage(1, 1, 0), stage(7, 1, 1, 0), stage(7, 1, 0)}, 8}, // the last one runs beside the second
		{nil, 0},
	} {
		if got := Need(&spec.Job{Stages: c.stages}); got != Whole(c.want) {
			t.Errorf("job %d needs %d thousandths, want %d cores", i, got, c.want)
		}
	}
}

func TestAHostGivesWhatALengthMayExpect(t *testing.T) {
	h := Host{Cores: 12, Used: 0.25, Reserve: 2, Held: Whole(1)}
	want := Rooms{Short: Whole(6), Medium: Whole(3), Long: 0}
	if got := h.Room(Usage{Average: 0.5, Peak: 0.9}); got != want {
		t.Errorf("rooms %v, want %v", got, want)
	}
	h.Used = 0.5
	if got := h.Room(Usage{Average: 0.2, Peak: 0.4}); got != (Rooms{Whole(3), Whole(3), Whole(3)}) {
		t.Errorf("Room of a host above its class's peak = %v, want 3 each", got)
	}
	for _, odd := range []float64{math.NaN(), -1, 2, math.Inf(1)} {
		if got := (&Host{Cores: 12, Used: odd}).Room(Usage{}); got != (Rooms{}) {
			t.Errorf("Room of a host that uses %v = %v, want none", odd, got)
		}
	}
}

// TestRoomsDoNotDependOnTheOrderOfHosts: sums that were brought up to date are those of a
// count from the beginning.
func TestRoomsDoNotDependOnTheOrderOfHosts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	usage := Usage{Average: 0.3, Peak: 0.7}
	c, hosts := Class{Usage: usage}, make([]Host, 200)
	rooms := make([]Rooms, len(hosts))
	for range 20_000 {
		i := rng.IntN(len(hosts))
		hosts[i] = Host{Cores: 1 + rng.IntN(64), Used: rng.Float64(), Reserve: rng.IntN(4), Held: Cores(rng.IntN(9000))}
		next := hosts[i].Room(usage)
		c.Add(next, rooms[i])
		rooms[i] = next
	}
	anew := Class{Usage: usage}
	for i := range hosts {
		anew.Add(hosts[i].Room(usage), Rooms{})
	}
	if anew.Rooms != c.Rooms {
		t.Errorf("rooms followed = %v, want %v as counted", c.Rooms, anew.Rooms)
	}
}

func TestClaimsEndWithWhatTheyClaimed(t *testing.T) {
	var c Claims
	c.Steer("a", Whole(10), map[string]Cores{"x": Whole(30), "y": Whole(10)})
	c.Steer("b", Whole(4), map[string]Cores{"x": Whole(30)})
	expect := func(x, y Cores) {
		t.Helper()
		if c.Of("x") != x || c.Of("y") != y {
			t.Errorf("claimed: x %d, y %d; want %d, %d", c.Of("x"), c.Of("y"), x, y)
		}
	}
	expect(11500, 2500)
	c.Hold("a", Whole(5))
	expect(7750, 1250)
	c.Hold("a", Whole(50))
	c.Hold("nobody", Whole(50))
	expect(4000, 0)
	c.Hold("a", -Whole(55))
	expect(11500, 2500)
	c.Steer("a", Whole(10), map[string]Cores{"y": 1}) // steered anew
	expect(4000, 10000)
	c.Steer("b", Whole(10), nil)
	expect(0, 10000)
	c.End("a")
	c.End("a")
	expect(0, 0)
	if len(c.totals) > 0 || len(c.jobs) > 0 {
		t.Errorf("totals, jobs at the end = %v, %v, want none", c.totals, c.jobs)
	}

	rng := rand.New(rand.NewPCG(3, 3))
	for range 10_000 {
		job := fmt.Sprint(rng.IntN(20))
		switch rng.IntN(4) {
		case 0:
			c.Steer(job, Cores(rng.Int64N(1e15)), map[string]Cores{"x": Cores(rng.Int64N(1e15)), "y": Cores(rng.Int64N(100)), "z": 0})
		case 1:
			c.End(job)
		default:
			c.Hold(job, Cores(rng.Int64N(1e15)-4e14))
		}
		for _, class := range []string{"x", "y", "z"} {
			if c.Of(class) < 0 {
				t.Fatalf("claims of %s = %d, want at least 0", class, c.Of(class))
			}
		}
	}
	for job := range c.jobs {
		c.End(job)
	}
	if len(c.totals) > 0 {
		t.Errorf("claims without jobs = %v, want none", c.totals)
	}
}
