package room

import (
	"time"

	"lull/subjects"
)

// ReleaseDelay is how long samples must ask for fewer cores before fewer count as the primary's. The start
// of a burst counts at once, its end only after this time, so that tasks are not started into every
// short pause of a busy primary.
const ReleaseDelay = 10 * time.Second

// Meter follows the samples of one host. The zero value has seen none. Two meters are equal
// if they reckon alike from now on.
type Meter struct {
	// Primary is how many cores count as the primary's: at least those of the busiest sample of the last
	// ten seconds, at most of the last twenty and of the longest gap between samples. It is 0 on a host
	// without a core reserve.
	Primary int
	// Free is the available memory of the last sample, in bytes.
	Free int64
	// Short reports that Free fell below the reserve, and is not a quarter above it yet.
	Short bool
	// Seen reports that there was a sample.
	Seen bool

	lower bool  // the samples since ask for fewer cores than Primary
	since int64 // the first of them, Unix nanoseconds by the host's clock
	most  int   // cores that one of them asked for
}

// Add takes in a sample of a host with the reserve.
func (m *Meter) Add(r Reserve, u *subjects.Usage) {
	m.Seen, m.Free = true, u.MemoryFree
	m.Short = u.MemoryFree < r.Memory || m.Short && u.MemoryFree < r.Memory+r.Memory/4
	if r.CPU > 0 {
		m.count(WholeCores(u.Primary), u.At)
	}
}

// count follows what the primary uses. A clock that was set back begins the delay anew.
func (m *Meter) count(cores int, at int64) {
	switch {
	case cores >= m.Primary:
		m.Primary = cores
		m.lower, m.since, m.most = false, 0, 0
	case !m.lower || at < m.since:
		m.lower, m.since, m.most = true, at, max(cores, m.most)
	case at-m.since < int64(ReleaseDelay):
		m.most = max(m.most, cores)
	default:
		m.Primary = max(m.most, cores)
		m.lower, m.since, m.most = false, 0, 0
		m.count(cores, at)
	}
}

// Changes reports whether a sample would make the meter reckon otherwise.
func (m *Meter) Changes(r Reserve, u *subjects.Usage) bool {
	next := *m
	next.Add(r, u)
	return next != *m
}

// Short reports whether available memory lies below the reserve.
func (r Reserve) Short(free int64) bool { return free < r.Memory }
