package service

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"lull/slotter/learning"
)

// lull run logs warnings on the screen of its job: what is reported of other jobs' types is none.
func TestAProcessOfOneJobDoesNotWarnOfModels(t *testing.T) {
	for _, one := range []bool{false, true} {
		var out bytes.Buffer
		s := Shared{Log: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn})), OneJob: one}
		s.reportAlarm(learning.Alarm{Model: "other", Drift: true, Idle: 1})
		if warned := strings.Contains(out.String(), "tasks of type other: how long they take varies"); warned == one {
			t.Errorf("log with OneJob %v = %q, want a warning only without it", one, out.String())
		}
	}
}
