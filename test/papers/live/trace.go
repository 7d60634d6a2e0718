package live

import (
	"context"
	"math"
	"time"

	"lull/hostctl/pace"
	"lull/hostctl/pacing"
)

// stretch is a part of a trace in which the reference stays the same.
type stretch struct {
	reference float64 // bytes/s
	rates     []float64
	caps      []float64
	limit     float64 // the largest cap, in cores
	burst     float64 // bytes that are read at once
	stolen    float64 // share of the CPU that the hypervisor took
}

const (
	// settleWindow is how many samples are averaged before throughput is compared with the
	// reference: a second, because no person looks at a job more closely.
	settleWindow = 5
	// settledWithin is how near the reference that average stays, as its share.
	settledWithin = 0.1
	// settlePatience is how many samples a stretch may take to settle.
	settlePatience = 15
)

// settling is the number of samples after which the mean of each second is near the reference, and
// remains there for another settlePatience; all of them if it never is. A later deviation is a
// disturbance: see outside.
func (s stretch) settling() int {
	held := 0
	for at := range s.rates {
		if held++; !s.near(at) {
			held = 0
		}
		if held == settlePatience {
			return max(at+1-held, 0)
		}
	}
	return len(s.rates)
}

// near reports whether the mean of the second that begins at a sample is near the reference; at the
// end, the mean of what is left. A second has whole bursts: a program that reads 4 MiB at a time
// cannot be nearer than one such read.
func (s stretch) near(at int) bool {
	second := s.rates[at:min(at+settleWindow, len(s.rates))]
	burst := s.burst / (float64(len(second)) * pace.Sample.Seconds())
	return math.Abs(mean(second)-s.reference) <= max(settledWithin*s.reference, burst)
}

// outside is the share of seconds after the time to settle that are not near the
// reference.
func (s stretch) outside() float64 {
	off, all := 0.0, 0.0
	for at := settlePatience; at+settleWindow <= len(s.rates); at++ {
		if all++; !s.near(at) {
			off++
		}
	}
	return off / max(all, 1)
}

// off is the mean of what comes after the time to settle, over the reference,
// less one.
func (s stretch) off() float64 {
	if len(s.rates) <= settlePatience {
		return math.NaN()
	}
	return mean(s.rates[settlePatience:])/s.reference - 1
}

// swings counts how often the cap goes from one of its limits to the other in a
// sample: what an unstable loop does.
func (s stretch) swings() (n int) {
	low := func(c float64) bool { return c <= pace.Least*1.01 }
	high := func(c float64) bool { return c >= s.limit*0.99 }
	for k := 1; k < len(s.caps); k++ {
		if low(s.caps[k-1]) && high(s.caps[k]) || high(s.caps[k-1]) && low(s.caps[k]) {
			n++
		}
	}
	return n
}

func mean(values []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}

// stretches cuts the sum of some tasks' samples where the reference of the whole
// changes. Tasks are sampled together, so the k-th of each belong together.
func stretches(tasks [][]pacing.Moment) (list []stretch) {
	least := len(tasks[0])
	for _, t := range tasks {
		least = min(least, len(t))
	}
	for k := range least {
		var rate, reference, cores float64
		for _, t := range tasks {
			rate, reference, cores = rate+t[k].Rate, reference+t[k].Reference, cores+t[k].Cap
		}
		if n := len(list); n == 0 || math.Abs(list[n-1].reference-reference) > 1 {
			list = append(list, stretch{reference: reference, limit: float64(len(tasks))})
		}
		s := &list[len(list)-1]
		s.rates, s.caps = append(s.rates, rate), append(s.caps, cores/float64(len(tasks))*s.limit)
	}
	return list
}

// of are the stretches of an application while so much of the CPU was stolen.
func of(app operator, stolen float64, list []stretch) []stretch {
	for i := range list {
		list[i].burst, list[i].stolen = app.burst, stolen
	}
	return list
}

// wait waits for so many samples.
func wait(ctx context.Context, samples int) error {
	select {
	case <-time.After(time.Duration(samples) * pace.Sample):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
