package slots

import (
	"fmt"
	"sync"

	"lull/hostctl/cgroup"
	"lull/subjects/spec"
)

// Weight is the CPU weight of a slot's tasks beside those of the other slots. Its lock is a leaf.
type Weight struct {
	slot  int
	group *cgroup.Slot
	mu    struct {
		sync.Mutex
		inForce spec.Cores // 0 for unknown
	}
}

// Set gives the slot the weight of its next task, which has so many cores. It writes nothing if the
// weight is in force already, as it is for most tasks.
func (w *Weight) Set(cores spec.Cores) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mu.inForce == cores {
		return nil
	}
	if err := cgroup.Weigh(w.group, cores.Float()); err != nil {
		return fmt.Errorf("slot %d: weigh the CPU of %v cores: %w", w.slot, cores, err)
	}
	w.mu.inForce = cores
	return nil
}

// forget makes the next Set write the weight, for a group that is new.
func (w *Weight) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mu.inForce = 0
}
