package shell

import (
	"context"
	"fmt"
	"log/slog"

	"lull/actors/core"
)

// Healthy returns what keeps the shell from its work: a log without room, a
// bus that cannot be reached. A standby is healthy.
func (s *Shell) Healthy() error {
	if what := s.health.Load(); what != nil {
		return fmt.Errorf("%s: %s", s.cfg.Owner(), *what)
	}
	if why := s.waitReason.Load(); why != nil {
		return fmt.Errorf("%s: %s", s.cfg.Owner(), *why)
	}
	return nil
}

// setUnhealthy notes what is wrong and reports whether that is news.
func (s *Shell) setUnhealthy(what string) bool {
	before := s.health.Swap(&what)
	return before == nil || *before != what
}

func (s *Shell) setHealthy() { s.health.Store(nil) }

var levels = map[core.Severity]slog.Level{core.Info: slog.LevelInfo, core.Warning: slog.LevelWarn, core.Fault: slog.LevelError}

func (s *Shell) logNote(n core.Note) {
	if n.Text != "" {
		s.cfg.Logger.Log(context.Background(), levels[n.Severity], n.Text, n.Args...)
	}
}
