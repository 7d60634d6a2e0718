package datanode

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

const megabyte = 1e6

// shareNode simulates one data node: readers that want 50 MB/s each, as many as the limit allows,
// of at most 10. It returns how many ran in the second half, on average.
func shareNode(l *Learnt, capacity, drift float64, rounds int) (mean float64) {
	const rate = 50 * megabyte
	for i := range rounds {
		running := 10.0
		if l.Capacity > 0 {
			running = math.Max(1, math.Min(10, math.Floor(float64(l.Capacity)/rate)))
		}
		load := running * rate
		for range int(running) {
			l.learnFrom(trial{Load: load, Rate: rate, Slow: drift * math.Max(1, load/capacity)})
		}
		if 2*i >= rounds {
			mean += running / float64(rounds-rounds/2)
		}
	}
	return mean
}

func TestALearntCapacityConvergesAndRecovers(t *testing.T) {
	var l Learnt
	if n := shareNode(&l, 220*megabyte, 1, 200); n < 4 || n > 5.5 {
		t.Errorf("readers on average = %.2f, want 4 to 5.5", n)
	}
	if n := shareNode(&l, 60*megabyte, 1, 400); n > 1.2 {
		t.Errorf("a filer that lost its cache is given %.2f readers, want little more than 1", n)
	}
	if n := shareNode(&l, 1000*megabyte, 1, 400); n < 9.9 {
		t.Errorf("readers after it was repaired = %.2f, want 10", n)
	}
}

// When all tasks are slower than their model says, whatever the load, that is
// the model's fault: the limit must not choke the job.
func TestTheModelIsToBlameWhenALimitDoesNotHelp(t *testing.T) {
	for _, drift := range []float64{1.35, 2, 10} {
		var l Learnt
		if n := shareNode(&l, math.Inf(1), drift, 200); n < 9 {
			t.Errorf("readers on a filer without a limit, tasks %v times as slow as predicted = %.1f, want 10", drift, n)
		}
	}
}

func TestALoneReaderTeachesNoLimit(t *testing.T) {
	var l Learnt
	for range 100 {
		l.learnFrom(trial{Load: 50 * megabyte, Rate: 50 * megabyte, Slow: 3})
	}
	if l.Capacity != 0 {
		t.Errorf("Capacity = %d, want 0", l.Capacity)
	}
}

func TestNoTrialMakesALimitThatIsNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1e9), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), 0, math.MaxFloat64, 5e-324}))
		var l Learnt
		for range rapid.IntRange(1, 200).Draw(t, "trials") {
			l.learnFrom(trial{number.Draw(t, "load"), number.Draw(t, "rate"), number.Draw(t, "slow")})
			if l.Capacity < 0 || l.Capacity > MaxRate || len(l.Trials) > calmTrials {
				t.Fatalf("learnt %+v, want a capacity of 0 to %v and at most %v trials", l, MaxRate, calmTrials)
			}
		}
	})
}
