package humane

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                 "0 s",
		0:                            "0 s",
		time.Microsecond:             "1 ms",
		99 * time.Millisecond:        "99 ms",
		440 * time.Millisecond:       "0.4 s",
		2 * time.Second:              "2 s",
		12900 * time.Millisecond:     "12 s",
		200 * time.Second:            "3m 20s",
		2*time.Hour + 5*time.Minute:  "2h 05m",
		76*time.Hour + 5*time.Minute: "3d 4h",
	} {
		if got := Span(d); got != want {
			t.Errorf("Span(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestWhen(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Time{}, "-"},
		{now.Add(65 * time.Second), "in 1m 05s"},
		{now.Add(-90 * time.Minute), "1h 30m ago"},
		{now, "0 s ago"},
	} {
		if got := When(c.at, now); got != c.want {
			t.Errorf("When(%v) = %q, want %q", c.at, got, c.want)
		}
	}
}

func TestSlackAndCount(t *testing.T) {
	if got := Slack(-61) + ", " + Slack(61); got != "1m 01s after the deadline, 1m 01s before the deadline" {
		t.Error(got)
	}
	if got := Count(1, "task") + ", " + Count(12345, "task"); got != "1 task, 12,345 tasks" {
		t.Error(got)
	}
}
