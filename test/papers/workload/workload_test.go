package workload

import (
	"math"
	"reflect"
	"testing"
	"time"

	"lull/sim"
)

func TestCaseStudyIsThePapers(t *testing.T) {
	hosts := Hosts(CaseStudy, Random(1, "loads"))
	if len(hosts) != 20 {
		t.Fatalf("Hosts(CaseStudy) = %d hosts, want 20", len(hosts))
	}
	jobs := Jobs(Streams(), Length, Patience, Random(1, "jobs"))
	if len(jobs) != 174 {
		t.Fatalf("Jobs() = %d jobs, want 174", len(jobs))
	}
	for i, j := range jobs {
		if err := j.Spec.Validate(); err != nil {
			t.Fatal(err)
		}
		if i > 0 && j.At < jobs[i-1].At || j.At >= Length {
			t.Errorf("job %d comes at %v, want jobs in order and before %v", i, j.At, Length)
		}
		if (j.Spec.DeadlineIn == 0) != (j.Spec.Type == "kmeans-class" || j.Spec.Type == "kmeans-iter") {
			t.Errorf("deadline of a job of %s = %v, want none for k-means and one for all others", j.Spec.Type, j.Spec.DeadlineIn)
		}
	}
}

func TestLoadsStayInTheirBands(t *testing.T) {
	for _, h := range Hosts(CaseStudy, Random(3, "loads"))[6:12] {
		seen := map[float64]bool{}
		for _, cores := range h.Load.(sim.Series).Cores {
			if cores < 0.2-1e-9 || cores > 0.35+1e-9 {
				t.Fatalf("load of %s = %v cores, want 0.2 to 0.35", h.Name, cores)
			}
			if steps := cores / level; math.Abs(steps-math.Round(steps)) > 1e-9 {
				t.Fatalf("load of %s = %v cores, want a multiple of %v", h.Name, cores, level)
			}
			seen[cores] = true
		}
		if len(seen) != 4 {
			t.Errorf("levels of %s = %d, want 4", h.Name, len(seen))
		}
	}
}

// The gaps between arrivals of a Poisson process have a standard deviation
// like their mean.
func TestArrivalsArePoisson(t *testing.T) {
	jobs := Jobs([]Stream{{Type: "pi", Jobs: 4000, Tasks: 1, Deadline: time.Second}}, Length, 0, Random(9, "jobs"))
	mean, squares := Length.Seconds()/4000, 0.0
	for i := 1; i < len(jobs); i++ {
		gap := (jobs[i].At - jobs[i-1].At).Seconds() - mean
		squares += gap * gap
	}
	if ratio := math.Sqrt(squares/3999) / mean; ratio < 0.93 || ratio > 1.07 {
		t.Errorf("deviation of the gaps over their mean = %.3f, want 0.93 to 1.07", ratio)
	}
}

func TestSeedsDecideAll(t *testing.T) {
	draw := func(seed uint64) any {
		return []any{Hosts(CaseStudy, Random(seed, "loads")), Jobs(Streams(), Length, Patience, Random(seed, "jobs"))}
	}
	if !reflect.DeepEqual(draw(5), draw(5)) || reflect.DeepEqual(draw(5), draw(6)) {
		t.Error("hosts and jobs of seed 5 differ when drawn again, or equal those of seed 6, want the reverse")
	}
	if Random(1, "loads").Uint64() == Random(1, "jobs").Uint64() {
		t.Error("Random(1, loads) and Random(1, jobs) begin with the same number, want different ones")
	}
}
