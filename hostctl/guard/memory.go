package guard

import "time"

const (
	// highLeast is the bytes that batch work always keeps. With less, the kernel reads
	// the text of its programs from the disk again and again.
	highLeast = 64 << 20
	// reclaimEvery is the pause between two reclaims of page cache.
	reclaimEvery = 500 * time.Millisecond
	// stalled is the share of time in which processes other than batch work may stall
	// for memory while it is short.
	stalled = 0.1
)

// memory keeps the available memory above the reserve. Below 1.5 times the reserve it
// reclaims page cache. Below the reserve it evicts tasks, and earlier if other processes
// stall for memory already.
type memory struct {
	reserve int64
	excess
	high      int64     // bytes of batch work above which the kernel reclaims, 0 for no bound
	changed   time.Time // when the bound was
	reclaimed time.Time // when page cache was last
	evicted   time.Time // when a task was last
}

func newMemory(reserve int64) memory {
	return memory{reserve: reserve, excess: excess{evidence: 0.03}}
}

// short is how far the available memory is below the limit at which page cache is
// reclaimed, 0 if it is not.
func (m *memory) short(s *Sample) int64 {
	if m.reserve <= 0 || s.MemoryFree == 0 {
		return 0
	}
	return max(m.reserve+m.reserve/2-s.MemoryFree, 0)
}

// step moves the bound, and returns the bytes to reclaim now.
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

// tighten lowers the bound and never raises it. Otherwise batch work could take back
// what it has given up.
func (m *memory) tighten(now time.Time, high int64) {
	high = max(high, highLeast)
	if m.high == 0 || (high < m.high && now.Sub(m.changed) >= settle) {
		m.high, m.changed = high, now
	}
}

// evicts reports whether to evict a task for memory.
func (m *memory) evicts(now time.Time, d growth, s *Sample) bool {
	short := m.short(s)
	hurt := m.add(d.memory, stalled*d.time) && short > 0
	if short == 0 || s.Tasks == 0 || (s.MemoryFree >= m.reserve && !hurt) || now.Sub(m.evicted) < evictEvery/4 {
		return false
	}
	m.evicted = now
	return true
}
