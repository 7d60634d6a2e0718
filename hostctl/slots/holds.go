package slots

import "sync"

// Holder is a reason for a slot to stand still: it goes on when none is left.
type Holder uint8

// Holders.
const (
	ByPool  Holder = 1 << iota // the host is paused
	ByGuard                    // for the primary's sake
	ByPace                     // a task moves faster than its share, and has no cap
)

// Holds are the reasons for which a slot is frozen, or is about to be. The lock is a leaf.
type Holds struct {
	mu struct {
		sync.Mutex
		by Holder
	}
}

// set adds or removes a reason, and reports whether any is left.
func (h *Holds) set(by Holder, on bool) (frozen bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mu.by &^= by; on {
		h.mu.by |= by
	}
	return h.mu.by != 0
}

// Any reports whether there is a reason.
func (h *Holds) Any() bool { return h.Except(0) }

// Except reports whether there is a reason besides one.
func (h *Holds) Except(by Holder) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.mu.by&^by != 0
}

// Has reports whether there is a certain reason.
func (h *Holds) Has(by Holder) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.mu.by&by != 0
}
