package admission

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// randomQueue has deadlines, works and chains that are small enough to search.
func randomQueue(t *rapid.T) queue {
	var q queue
	for i := range rapid.IntRange(0, 7).Draw(t, "jobs") {
		l := randomLoad(t)
		l.seq, l.deadline = uint64(i), time.Duration(rapid.IntRange(-5, 60).Draw(t, "deadline"))
		if rapid.IntRange(0, 5).Draw(t, "free") == 0 {
			l.deadline = none
		}
		q = append(q, l)
	}
	slices.SortFunc(q, earlier)
	return q
}

func randomLoad(t *rapid.T) load {
	work := time.Duration(rapid.IntRange(0, 15).Draw(t, "work"))
	return load{prediction: prediction{work: work, jct: work + time.Duration(rapid.IntRange(0, 8).Draw(t, "chain"))}, seq: 99}
}

// admits is equation 7 by simulation: insert the job, and let the works follow
// each other.
func admits(q queue, l load, mode string) bool {
	late := func(q queue) map[uint64]bool {
		start, late := time.Duration(0), map[uint64]bool{}
		for _, job := range q {
			late[job.seq] = start+job.jct > job.deadline
			start += job.work
		}
		return late
	}
	before, after := late(q), late(slices.Clone(q).insert(l))
	if after[l.seq] {
		return false
	}
	for _, job := range q {
		if mode == ModeAffected && after[job.seq] && !before[job.seq] {
			return false
		}
	}
	return true
}

func TestJudgeIsEquationSeven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, l := randomQueue(t), randomLoad(t)
		l.deadline = time.Duration(rapid.IntRange(-5, 90).Draw(t, "new deadline"))
		mode := rapid.SampledFrom([]string{ModeAffected, ModeEq7}).Draw(t, "mode")
		if got, want := judge(q, l, mode).admissible(l), admits(q, l, mode); got != want {
			t.Fatalf("admitted: %v, by simulation: %v", got, want)
		}
	})
}

func TestEarliestIsTheFirstDeadlineThatIsAdmitted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, l := randomQueue(t), randomLoad(t)
		mode := rapid.SampledFrom([]string{ModeAffected, ModeEq7}).Draw(t, "mode")
		got, ok := earliest(q, l, mode)
		if !ok {
			t.Fatal("no deadline is safe, in a queue that ends")
		}
		for l.deadline = -10; !admits(q, l, mode); l.deadline++ {
			if l.deadline > 1000 {
				t.Fatal("the search finds none")
			}
		}
		if got != l.deadline {
			t.Fatalf("earliest is %d, by search %d", got, l.deadline)
		}
	})
}

func TestNothingIsSafeWithoutCPU(t *testing.T) {
	l := load{prediction: prediction{work: 0, jct: horizon}, deadline: time.Hour}
	if _, ok := earliest(nil, l, ModeAffected); ok {
		t.Error("a job that never ends has a safe deadline")
	}
	if f := judge(nil, l, ModeAffected); f.admissible(l) {
		t.Error("a job that never ends is admitted")
	}
}

func TestSumsOfPredictionsDoNotOverflow(t *testing.T) {
	var q queue
	for i := range 100 {
		q = append(q, load{prediction: prediction{horizon, horizon}, seq: uint64(i), deadline: none})
	}
	if got := q.work(); got != horizon {
		t.Errorf("the sum is %v", got)
	}
}
