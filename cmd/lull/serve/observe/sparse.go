package observe

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

const (
	// sparsely is the least time between two warnings that say the same.
	sparsely = time.Minute
	// mostWarnings bounds the warnings that are remembered.
	mostWarnings = 1000
)

// sparse passes on a warning at most once a minute, so that trouble that comes and goes does not fill a screen or a disk.
// Two warnings say the same if they differ in numbers and errors alone. Other records pass.
type sparse struct {
	slog.Handler
	who  string // attributes that all its records have
	seen *warnings
}

// warnings are shared by all handlers made from one.
type warnings struct {
	mu sync.Mutex
	of map[string]*warned
}

// warned is a warning that was passed on.
type warned struct {
	at   time.Time
	held int // that were left out since
}

func newSparse(to slog.Handler) slog.Handler {
	return &sparse{Handler: to, seen: &warnings{of: map[string]*warned{}}}
}

func (s *sparse) Handle(ctx context.Context, r slog.Record) error {
	if r.Level != slog.LevelWarn {
		return s.Handler.Handle(ctx, r)
	}
	held, pass := s.seen.pass(s.key(r), r.Time)
	if !pass {
		return nil
	}
	if held > 0 {
		r = r.Clone()
		r.Message += fmt.Sprintf(" (and %d times more in the meantime)", held)
	}
	return s.Handler.Handle(ctx, r)
}

// pass reports whether a warning is due, and how many like it were left out since the last one.
func (w *warnings) pass(key string, at time.Time) (held int, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := w.of[key]
	if last != nil && at.Sub(last.at) < sparsely {
		last.held++
		return 0, false
	}
	if last != nil {
		held = last.held
	}
	if len(w.of) >= mostWarnings {
		clear(w.of)
	}
	w.of[key] = &warned{at: at}
	return held, true
}

// key is what a warning says, without its numbers and its error.
func (s *sparse) key(r slog.Record) string {
	var b strings.Builder
	b.WriteString(s.who)
	b.WriteString(strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c == '.' {
			return -1
		}
		return c
	}, r.Message))
	r.Attrs(func(a slog.Attr) bool {
		if value := a.Value.Resolve(); value.Kind() == slog.KindString && a.Key != "error" {
			b.WriteString("\x00" + value.String())
		}
		return true
	})
	return b.String()
}

func (s *sparse) WithAttrs(attrs []slog.Attr) slog.Handler {
	q := *s
	q.Handler = s.Handler.WithAttrs(attrs)
	q.who += fmt.Sprint(attrs)
	return &q
}

func (s *sparse) WithGroup(name string) slog.Handler {
	q := *s
	q.Handler = s.Handler.WithGroup(name)
	return &q
}
