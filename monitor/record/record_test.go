package record

import (
	"reflect"
	"testing"
	"time"

	"lull/subjects/history"
)

// day is a step's beginning.
var day = time.Date(2026, 5, 6, 0, 0, 0, 0, time.UTC)

// host is a host of ten cores with clocks and counters that a test drives.
type host struct {
	Reading
	r   Recorder
	got []Sample
}

func newHost(at time.Time) *host {
	h := &host{Reading: Reading{At: at, Cores: 10, Used: 1 << 30, Memory: 4 << 30}}
	h.read()
	return h
}

func (h *host) read() { h.r.Add(h.Reading, func(s Sample) { h.got = append(h.got, s) }) }

// run passes seconds, at a share of the host's cores.
func (h *host) run(seconds int, share float64) {
	for range seconds {
		h.pass(time.Second, share)
	}
}

func (h *host) pass(d time.Duration, share float64) {
	h.At, h.Up = h.At.Add(d), h.Up+d
	h.Primary += share * 10 * d.Seconds()
	h.read()
}

func (h *host) flush() { h.r.Flush(func(s Sample) { h.got = append(h.got, s) }) }

func (h *host) want(t *testing.T, want ...Sample) {
	t.Helper()
	for i := range want {
		want[i].Cores, want[i].Memory = 10, 4<<30
	}
	if !reflect.DeepEqual(h.got, want) {
		t.Errorf("got  %+v\nwant %+v", h.got, want)
	}
}

func sample(step int, mean, peak uint16, seconds uint8) Sample {
	return Sample{Slot: history.Slot(day) + int64(step), Sample: history.Sample{Mean: mean, Peak: peak, Memory: 250, Seconds: seconds}}
}

func TestStepsLieOnUTCBoundaries(t *testing.T) {
	h := newHost(day.Add(90 * time.Second).In(time.FixedZone("", 5400)))
	h.run(150, 0.2)
	h.run(130, 0.5)
	h.want(t, sample(0, 200, 200, 30), sample(1, 200, 200, 120), sample(2, 500, 500, 120))
	h.flush()
	h.want(t, sample(0, 200, 200, 30), sample(1, 200, 200, 120), sample(2, 500, 500, 120), sample(3, 500, 500, 10))
}

func TestReadingsBesideABoundaryAreDivided(t *testing.T) {
	h := newHost(day.Add(100*time.Second + 500*time.Millisecond))
	h.run(30, 0.3)
	h.flush()
	h.want(t, sample(0, 300, 300, 20), sample(1, 300, 300, 11))
}

func TestThePeakIsTheGreatestTenSeconds(t *testing.T) {
	h := newHost(day)
	h.run(20, 0)
	h.run(5, 1)
	h.run(35, 0)
	h.run(12, 0.4)
	h.run(48, 0)
	h.want(t, sample(0, 82, 500, 120))
}

func TestWhatWasNotObservedIsAGap(t *testing.T) {
	h := newHost(day)
	h.run(60, 0.1)
	h.pass(10*time.Minute, 0.9) // suspended, or readings hung
	h.run(60, 0.1)
	h.flush()
	h.want(t, sample(0, 100, 100, 60), sample(5, 100, 100, 60))
}

func TestAClockThatJumpsObservesNothingMeanwhile(t *testing.T) {
	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		h := newHost(day)
		h.run(60, 0.1)
		h.At = h.At.Add(d)
		h.run(60, 0.3)
		h.flush()
		h.want(t, sample(0, 100, 100, 60), sample(int(d/history.Step), 300, 300, 59))
	}
}

func TestACounterThatBeginsAnewIsNotCompared(t *testing.T) {
	h := newHost(day)
	h.run(30, 0.1)
	h.Primary, h.Epoch = 5000, 1
	h.run(30, 0.1)
	h.Primary = 0
	h.run(30, 0.1)
	h.flush()
	h.want(t, sample(0, 100, 100, 88))
}

// The host's counters advance in ticks, so the difference of one second can be negative.
func TestTicksDoNotAddUp(t *testing.T) {
	h := newHost(day)
	for i := range 120 {
		h.Primary += []float64{0.05, -0.05}[i%2]
		h.pass(time.Second, 0.02)
	}
	h.want(t, sample(0, 20, 20, 120))
}
