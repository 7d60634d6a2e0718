package reads

import (
	"slices"
	"time"
)

// maxRates bounds the rates that are remembered of one run. Beyond it every second
// one goes, and then only every second (fourth, …) is kept.
const maxRates = 512

// minSpan is the shortest time over which a rate says anything: two samples that
// came close together, because one was late, are taken as one.
const minSpan = 500 * time.Millisecond

// Series holds what a task read in each second of its run. The zero value knows
// nothing of the task yet: its first Add is where measuring begins.
type Series struct {
	at    time.Time
	total int64
	rates []float32 // bytes/s
	count int
	every int // one in so many is kept; 0 means 1
}

// Begin says that the task starts now and has read nothing.
func (s *Series) Begin(now time.Time) { s.at, s.total = now, 0 }

// Add takes in what the task has read so far. A total that fell, because a
// process ended, counts as nothing read.
func (s *Series) Add(now time.Time, total int64) {
	if s.at.IsZero() {
		s.at, s.total = now, total
		return
	}
	elapsed := now.Sub(s.at)
	if elapsed < minSpan {
		return
	}
	rate := float32(max(float64(total-s.total), 0) / elapsed.Seconds())
	s.at, s.total = now, total
	if s.count++; s.every < 2 || s.count%s.every == 0 {
		s.push(rate)
	}
}

// Rest passes over the time since the last Add: the task could not read.
func (s *Series) Rest(now time.Time, total int64) {
	if !s.at.IsZero() {
		s.at, s.total = now, total
	}
}

func (s *Series) push(rate float32) {
	if len(s.rates) == maxRates {
		for i := range maxRates / 2 {
			s.rates[i] = s.rates[2*i+1]
		}
		s.rates = s.rates[:maxRates/2]
		s.every = 2 * max(s.every, 1)
		if s.count%s.every != 0 {
			return
		}
	}
	s.rates = append(s.rates, rate)
}

// Percentile90 is the rate that nine in ten seconds did not exceed, in bytes/s;
// 0 if nothing was measured.
func (s *Series) Percentile90() float64 {
	if len(s.rates) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.rates))
	return float64(sorted[(len(sorted)*9-1)/10])
}
