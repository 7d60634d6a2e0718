package fetch

import (
	"cmp"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// DefaultStall is how long an answer may bring nothing. A machine that is gone is found by TCP, but a process
// that is stopped is not: its kernel goes on to acknowledge, and its readers would wait for ever.
const DefaultStall = 2 * time.Minute

// moving is a body that Moving watches.
type moving struct {
	io.ReadCloser
	patience time.Duration
	timer    *time.Timer
	stalled  atomic.Bool
}

// Moving returns the body of an answer that fails once a read has brought nothing for so long; 0 for
// DefaultStall.
func Moving(body io.ReadCloser, patience time.Duration) io.ReadCloser {
	patience = cmp.Or(patience, DefaultStall)
	m := &moving{ReadCloser: body, patience: patience}
	m.timer = time.AfterFunc(patience, func() {
		m.stalled.Store(true)
		_ = body.Close() // ends the read
	})
	return m
}

// Read reads, and gives the time until the next read to the reader.
func (m *moving) Read(b []byte) (int, error) {
	m.timer.Reset(m.patience)
	n, err := m.ReadCloser.Read(b)
	m.timer.Stop()
	if err != nil && m.stalled.Load() {
		err = fmt.Errorf("nothing came for %v", m.patience)
	}
	return n, err
}

func (m *moving) Close() error {
	m.timer.Stop()
	return m.ReadCloser.Close()
}
