package fetch

import (
	"cmp"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// DefaultStall is how long an answer may bring nothing. TCP notices when a machine is gone, but not when a
// process is suspended: its kernel goes on acknowledging, and readers would wait for ever.
const DefaultStall = 2 * time.Minute

// stallReader is a body that WithStallLimit wraps.
type stallReader struct {
	io.ReadCloser
	patience time.Duration
	timer    *time.Timer
	stalled  atomic.Bool
}

// WithStallLimit wraps the body of an answer. A read to which no bytes come for patience fails. A patience of 0 means
// DefaultStall.
func WithStallLimit(body io.ReadCloser, patience time.Duration) io.ReadCloser {
	patience = cmp.Or(patience, DefaultStall)
	m := &stallReader{ReadCloser: body, patience: patience}
	m.timer = time.AfterFunc(patience, func() {
		m.stalled.Store(true)
		_ = body.Close() // ends the read
	})
	return m
}

// Read reads. The time between two reads does not count, because the reader takes it.
func (m *stallReader) Read(b []byte) (int, error) {
	m.timer.Reset(m.patience)
	n, err := m.ReadCloser.Read(b)
	m.timer.Stop()
	if err != nil && m.stalled.Load() {
		err = fmt.Errorf("no bytes arrived for %v", m.patience)
	}
	return n, err
}

func (m *stallReader) Close() error {
	m.timer.Stop()
	return m.ReadCloser.Close()
}
