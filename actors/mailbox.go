package actors

import "sync"

// mailbox hands work to the loop's goroutine. It never blocks a sender, so the
// loop itself may post (Perform calling Report), and keeps order.
type mailbox struct {
	mu struct {
		sync.Mutex
		queue []func()
		bytes int // of messages in queue that may be lost
	}
	ready chan struct{} // holds one token while the queue may not be empty
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

func (m *mailbox) post(f func()) {
	m.mu.Lock()
	m.mu.queue = append(m.mu.queue, f)
	m.mu.Unlock()
	m.ring()
}

// offer posts f, which holds size bytes of a message that may be lost. It returns
// false when the limit of messages or bytes that may wait is reached.
func (m *mailbox) offer(size int, f func()) bool {
	m.mu.Lock()
	room := len(m.mu.queue) < backlog && (size == 0 || m.mu.bytes < backlogBytes)
	if room {
		m.mu.bytes += size
		m.mu.queue = append(m.mu.queue, f)
	}
	m.mu.Unlock()
	m.ring()
	return room
}

func (m *mailbox) ring() {
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

// run calls what was posted until now, not what that posts in turn.
func (m *mailbox) run() {
	m.mu.Lock()
	queue := m.mu.queue
	m.mu.queue, m.mu.bytes = nil, 0
	m.mu.Unlock()
	for _, f := range queue {
		f()
	}
}
