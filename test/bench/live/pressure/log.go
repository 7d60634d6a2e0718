package pressure

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"time"
)

// action is what a guard did: the look that gave the reason, and the time from
// there until the bound was written.
type action struct {
	noticed time.Time
	took    time.Duration
}

// lines takes an agent's log of JSON records and keeps those of its guard.
type lines struct {
	mu      sync.Mutex
	rest    []byte      // of a line that has not ended
	actions chan action // the newest, for a waiter
}

func newLines() *lines { return &lines{actions: make(chan action, 64)} }

// Write takes whole or broken lines in. What is no record goes on to stderr.
func (l *lines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, text...)
	for {
		line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		l.take(line)
		l.rest = rest
	}
}

func (l *lines) take(line []byte) {
	var record struct {
		Time       time.Time
		Level, Msg string
		Took       time.Duration
	}
	switch err := json.Unmarshal(line, &record); {
	case err != nil, record.Level == "ERROR", record.Level == "WARN":
		_, _ = os.Stderr.Write(append(line, '\n'))
	case strings.Contains(record.Msg, "held back"):
		select {
		case l.actions <- action{record.Time.Add(-record.Took), record.Took}:
		default: // there is no waiter
		}
	}
}

// heldBack waits for the first action after a moment, false if there is none in
// time.
func (l *lines) heldBack(ctx context.Context, since time.Time, patience time.Duration) (action, bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		select {
		case a := <-l.actions:
			if a.noticed.After(since) {
				return a, true
			}
		case <-ctx.Done():
			return action{}, false
		}
	}
}
