package slots

import (
	"fmt"
	"sync"

	"lull/hostctl/cgroup"
)

// MemoryLimit is the memory limit of a slot's tasks. Its lock is a leaf.
type MemoryLimit struct {
	slot  int
	group *cgroup.Slot
	mu    struct {
		sync.Mutex
		inForce int64 // bytes, -1 for unknown
	}
}

// newMemoryLimit returns a limit that is not known yet.
func newMemoryLimit(slot int, group *cgroup.Slot) *MemoryLimit {
	m := &MemoryLimit{slot: slot, group: group}
	m.forget()
	return m
}

// Set bounds the next task, in bytes, whatever the last one left behind. Most tasks of a slot ask
// for the same and leave little, and each change costs four writes.
func (m *MemoryLimit) Set(bytes int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	limit := bytes
	if bytes > 0 {
		limit += m.group.Leftover(bytes)
	}
	if m.mu.inForce == limit {
		return nil
	}
	if err := m.group.Limit(limit, MaxProcesses); err != nil {
		return fmt.Errorf("slot %d: limit the memory to %d MB: %w", m.slot, limit>>20, err)
	}
	m.mu.inForce = limit
	return nil
}

// forget makes the next Set write the limit, for a group that is new.
func (m *MemoryLimit) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mu.inForce = -1
}
