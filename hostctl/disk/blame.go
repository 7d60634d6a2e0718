package disk

import (
	"fmt"

	"lull/subjects"
)

const (
	// ownPart is the part of the disk with which one attempt has filled it by itself: one in ownPart.
	// Where four tasks or fewer fill a disk, the one that holds most has as much.
	ownPart = 4
	// maxEnds is how often a task may end for the disk on this host before that counts as its own
	// fault. Many tasks that fill the disk together hold less than a part each.
	maxEnds = 3
	// ownLeast is the bytes without which a task's end would have made no room.
	ownLeast = 1 << 20
	// maxTasks bounds the tasks of which the monitor knows how often they ended for the disk.
	maxTasks = 4096
)

// Task is a task, whatever its attempt.
type Task struct {
	Job string
	subjects.TaskID
}

// Blame reports whether a task that ended because the disk is full has filled it by itself, and
// if so why, for people. It measures the attempt's folders, so these must be there still. Call it once
// for each such end.
//
// Without it a task that writes more than the disk holds would be evicted and run again for ever,
// since evictions use up no retries.
func (m *Monitor) Blame(t Task, a Attempt) (why string, own bool) {
	_, total, err := m.cfg.Store.Space()
	if err != nil {
		return "", false
	}
	bytes := max(m.usage(a), m.filled(a.ID))
	if bytes < ownLeast {
		return "", false
	}
	ends, _ := m.ends.Get(t, func() (*int, error) { return new(int), nil })
	m.mu.Lock()
	*ends++
	n := *ends
	m.mu.Unlock()
	if bytes < total/ownPart && n < maxEnds {
		return "", false
	}
	return fmt.Sprintf("it filled the disk of its host: it had written %d MB to %s, of %d MB in all; %d MB must stay free%s: "+
		"write less, split the task, or use hosts with a larger disk for the data folder",
		bytes>>20, m.cfg.Store.Root(), total>>20, Reserve(m.cfg.MinFree, total)>>20, m.counted()), true
}

// filled returns the bytes with which an attempt was evicted for filling the disk, 0 if it was not the
// last such one. They include deleted files that its processes kept open.
func (m *Monitor) filled(attempt uint64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mu.filler.Attempt != attempt {
		return 0
	}
	return m.mu.filler.Bytes
}
