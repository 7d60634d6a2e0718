package inputs

import (
	"sync"
	"time"

	"lull/subjects"
)

// meter measures what one attempt fetches from other hosts. A transfer that waits for its turn
// counts as under way. Its lock is a leaf.
type meter struct {
	mu struct {
		sync.Mutex
		from []*source // in the order of their first transfers
	}
}

// source is what came from one rack.
type source struct {
	subjects.Fetched
	open  int       // transfers under way
	since time.Time // when the first of these began
}

// begin notes that a transfer from a rack begins.
func (m *meter) begin(rack string, now time.Time) *source {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.ofLocked(rack)
	if s.open++; s.open == 1 {
		s.since = now
	}
	return s
}

// end notes that a transfer brought so many bytes. Time in which several were under way counts once.
func (m *meter) end(s *source, bytes int64, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.Bytes += bytes
	if s.open--; s.open == 0 {
		s.Seconds += max(now.Sub(s.since).Seconds(), 0)
	}
}

// ofLocked finds the source that counts for a rack. m.mu is held.
func (m *meter) ofLocked(rack string) *source {
	for _, s := range m.mu.from {
		if s.Rack == rack {
			return s
		}
	}
	if len(m.mu.from) >= subjects.MaxFetchedRacks && rack != subjects.OtherRacks {
		return m.ofLocked(subjects.OtherRacks)
	}
	s := &source{Fetched: subjects.Fetched{Rack: rack}}
	m.mu.from = append(m.mu.from, s)
	return s
}

// fetch is what came in all, during a gathering that took so long.
func (m *meter) fetch(took time.Duration) (f subjects.Fetch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.mu.from {
		if s.Bytes > 0 {
			f.Fetched = append(f.Fetched, s.Fetched)
		}
	}
	if len(f.Fetched) > 0 {
		f.Fetching = max(took.Seconds(), 0)
	}
	return f
}
