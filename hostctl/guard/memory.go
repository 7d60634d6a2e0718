package guard

import "time"

const (
	// highLeast is the bytes that batch work keeps in any case: with less, its
	// programs' own text is read from the disk over and over.
	highLeast = 64 << 20
	// reclaimEvery is the pause between two demands for page cache.
	reclaimEvery = 500 * time.Millisecond
	// stalled is the share of time in which others than batch may stall for memory
	// while it is short.
	stalled = 0.1
)

// memory keeps what is available above the reserve: page cache is taken back
// when half as much again is left, tasks are evicted below it, and earlier when
// others stall for memory already.
type memory struct {
	reserve int64
	excess
	high      int64
	changed   time.Time
	reclaimed time.Time
	evicted   time.Time
}

func newMemory(reserve int64) memory {
	return memory{reserve: reserve, excess: excess{evidence: 0.03}}
}

// short is how far available memory is below the line at which cache is taken
// back, 0 if it is not.
func (m *memory) short(s *Sample) int64 {
	if m.reserve <= 0 || s.MemoryFree == 0 {
		return 0
	}
	return max(m.reserve+m.reserve/2-s.MemoryFree, 0)
}

// step moves the bound, and returns the bytes to be reclaimed now.
func (m *memory) step(now time.Time, s *Sample) (reclaim int64) {
	short := m.short(s)
	switch {
	case short > 0 && s.MemoryBatch > 0:
		m.tighten(now, s.MemoryBatch-short)
		if now.Sub(m.reclaimed) >= reclaimEvery {
			m.reclaimed, reclaim = now, min(short, s.MemoryBatch)
		}
	case m.high > 0 && s.MemoryFree >= 2*m.reserve && now.Sub(m.changed) >= calmLeast:
		m.high, m.changed = 0, now
	}
	return reclaim
}

// tighten lowers the bound, never raises it: what batch work gave back would
// otherwise be its own to take again.
func (m *memory) tighten(now time.Time, high int64) {
	high = max(high, highLeast)
	if m.high == 0 || (high < m.high && now.Sub(m.changed) >= settle) {
		m.high, m.changed = high, now
	}
}

// evicts reports whether a task is to end for memory.
func (m *memory) evicts(now time.Time, d growth, s *Sample) bool {
	short := m.short(s)
	hurt := m.add(d.memory, stalled*d.time) && short > 0
	if short == 0 || s.Tasks == 0 || (s.MemoryFree >= m.reserve && !hurt) || now.Sub(m.evicted) < evictEvery/4 {
		return false
	}
	m.evicted = now
	return true
}
