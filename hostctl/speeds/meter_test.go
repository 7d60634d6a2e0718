package speeds

import (
	"math"
	"testing"
	"time"

	"lull/hostctl/pacing"
	"lull/hostctl/slots"
)

func TestARateIsOfOneSource(t *testing.T) {
	start := time.Unix(1, 0)
	m := New(Measured{Slot: &slots.Slot{}})
	for i, c := range []struct {
		read pacing.Reading
		rate float64
		ok   bool
	}{
		{pacing.Reading{}, 0, false},
		{pacing.Reading{At: start, Total: 100, From: pacing.ByReads}, 0, false},
		{pacing.Reading{At: start.Add(2 * time.Second), Total: 500, From: pacing.ByReads}, 200, true},
		{pacing.Reading{At: start.Add(2 * time.Second), Total: 500, From: pacing.ByReads}, 0, false}, // not measured since
		{pacing.Reading{At: start.Add(3 * time.Second), Total: 400, From: pacing.ByReads}, 0, false}, // a process ended, and its count with it
	} {
		m.mu.read = c.read
		if rate, ok := m.Rate(start); ok != c.ok || math.Abs(rate-c.rate) > 1e-9 {
			t.Errorf("reading %d: Rate() = %v, %v, want %v, %v", i, rate, ok, c.rate, c.ok)
		}
	}
}
