package cgroup

import (
	"testing"
	"time"
)

// Two tasks that compute on one core have it by their weights. Nothing is capped: what one leaves the
// other may take.
func TestWeightsDivideOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, whole *Slot) {
		needs(t, tree.caps.Weight)
		needs(t, tree.caps.CPUTime)
		half, err := tree.Slot(1)
		mustDo(t, err)
		mustDo(t, Weigh(whole, 1))
		mustDo(t, Weigh(half, 0.5))
		for _, s := range []*Slot{half, whole} {
			spawn(t, s, `taskset -cp 0 $$ >/dev/null || exit; echo; while :; do :; done`)
		}
		used := func(s *Slot) float64 {
			seconds, _, err := s.Usage()
			mustDo(t, err)
			return seconds
		}
		first, second, begin := used(half), used(whole), time.Now()
		waitFor(t, "the tasks to use CPU", func() bool {
			return used(half)+used(whole)-first-second > 1 || time.Since(begin) > 5*time.Second
		})
		a, b := used(half)-first, used(whole)-second
		if a+b < 0.5 {
			t.Skip("needs a machine that leaves batch work some CPU")
		}
		if share := a / (a + b); share < 0.2 || share > 0.47 {
			t.Errorf("the task of half a core had %.2f s, that of a core %.2f s: a share of %.2f, want a third", a, b, share)
		}
		if held, err := half.Throttled(); err == nil && held > 0 {
			t.Errorf("time that the task of half a core was throttled = %.2f s, want 0", held)
		}
		for _, s := range []*Slot{half, whole} {
			mustDo(t, s.Kill(briefly(t)))
		}
	})
}

func TestWeightsOfBothHierarchies(t *testing.T) {
	for _, c := range []struct {
		version int
		cores   float64
		want    int
	}{{1, 1, 1024}, {1, 0.5, 512}, {1, 1.5, 1536}, {1, 0.001, 2}, {1, 1024, 262144}, {2, 1, 100}, {2, 0.1, 10}, {2, 1.5, 150}, {2, 0.001, 1}, {2, 1024, 10000}} {
		if got := weightOf(c.version, c.cores); got != c.want {
			t.Errorf("v%d weighs %v cores %d, want %d", c.version, c.cores, got, c.want)
		}
	}
}
