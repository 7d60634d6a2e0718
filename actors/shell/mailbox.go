package shell

import (
	"sync"
	"time"
)

// mailbox hands work to the loop's goroutine. It never blocks a sender, so the
// loop itself may post (Perform calling Report). Each of its lanes keeps order.
type mailbox struct {
	mu struct {
		sync.Mutex
		own       lane // the shell's own work: nothing of it is lost
		messages  lane // core messages, quickly noted
		questions lane // questions; their answers take time
	}
	ready chan struct{} // holds one token while a lane may not be empty
}

// lane is work of one kind, in order.
type lane struct {
	queue []letter
	bytes int // of messages that may be lost
}

type letter struct {
	size int
	do   func()
}

// questionTime is how long questions are answered before the log has its turn again, so that a flood
// of them cannot stop decisions. A single question may take longer.
const questionTime = 20 * time.Millisecond

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

func (m *mailbox) post(f func()) {
	m.mu.Lock()
	m.mu.own.queue = append(m.mu.own.queue, letter{do: f})
	m.mu.Unlock()
	m.ring()
}

// offer posts f, which handles a message of size bytes that may be lost. It returns
// false if as many messages or bytes wait as may.
func (m *mailbox) offer(size int, f func()) bool { return m.offerTo(&m.mu.messages, size, f) }

// ask is offer for a question. Questions take no room from other messages.
func (m *mailbox) ask(size int, f func()) bool { return m.offerTo(&m.mu.questions, size, f) }

func (m *mailbox) offerTo(l *lane, size int, f func()) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(l.queue) >= backlog || size > 0 && l.bytes >= backlogBytes {
		return false
	}
	l.queue = append(l.queue, letter{size, f})
	l.bytes += size
	m.ring()
	return true
}

func (m *mailbox) ring() {
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

// run calls what was posted until now, not what that posts in turn, and of the
// questions those that can be answered within questionTime.
func (m *mailbox) run() {
	for _, l := range []*lane{&m.mu.own, &m.mu.messages} {
		for _, letter := range m.emptyLane(l) {
			letter.do()
		}
	}
	for until := time.Now().Add(questionTime); ; {
		question, more := m.next()
		if question != nil {
			question()
		}
		if !more {
			return
		}
		if !time.Now().Before(until) {
			m.ring()
			return
		}
	}
}

// emptyLane empties a lane and returns what was in it.
func (m *mailbox) emptyLane(l *lane) []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	queue := l.queue
	*l = lane{}
	return queue
}

// next takes the first question, nil if there is none, and reports whether more follow.
func (m *mailbox) next() (question func(), more bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := &m.mu.questions
	if len(l.queue) == 0 {
		return nil, false
	}
	first := l.queue[0]
	l.queue[0] = letter{}
	l.queue, l.bytes = l.queue[1:], l.bytes-first.size
	return first.do, len(l.queue) > 0
}
