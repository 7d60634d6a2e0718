package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestAWarningThatFlapsIsSaidOnceAMinute(t *testing.T) {
	var b strings.Builder
	log := newSparse(&people{out: &output{w: &b}}).WithAttrs([]slog.Attr{slog.String("actor", "slotter")})
	begin := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)
	say := func(after time.Duration, level slog.Level, message string, args ...any) {
		t.Helper()
		r := slog.NewRecord(begin.Add(after), level, message, 0)
		r.Add(args...)
		if err := log.Handle(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 59 {
		say(time.Duration(i)*time.Second, slog.LevelWarn, fmt.Sprintf("each counts as %.1f s", float64(i)/10), "error", errors.New(strings.Repeat("x", i)))
	}
	say(time.Second, slog.LevelWarn, "each counts as 0.1 s", "host", "h2") // of another host
	say(2*time.Second, slog.LevelInfo, "goes on")
	say(3*time.Second, slog.LevelInfo, "goes on")
	say(61*time.Second, slog.LevelWarn, "each counts as 7 s")
	got := strings.Split(strings.TrimSpace(b.String()), "\n")
	want := []string{
		"10:00:00 warn: slotter: each counts as 0.0 s",
		"10:00:01 warn: slotter: each counts as 0.1 s (host h2)",
		"10:00:02 goes on",
		"10:00:03 goes on",
		"10:01:01 warn: slotter: each counts as 7 s (and 58 times more in the meantime)",
	}
	for i := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], strings.TrimSpace(want[i])) {
			t.Errorf("lines = %q, want %q", got, want)
			break
		}
	}
}
