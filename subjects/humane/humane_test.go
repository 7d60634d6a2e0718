package humane

import (
	"math"
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
		438000 * time.Hour:           "an unknown time",
	} {
		if got := Span(d); got != want {
			t.Errorf("Span(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestSecondsAreNeverAsLongAsNoEndInSight(t *testing.T) {
	for s, want := range map[float64]string{1e300: "an unknown time", 1.6e9: "an unknown time", 10 * 365 * 86400: "3650d 0h", 61: "1m 01s"} {
		if got := Seconds(s); got != want {
			t.Errorf("Seconds(%v) = %q, want %q", s, got, want)
		}
	}
}

// Sums and quotients of what others wrote may be no number.
func TestWhatIsNoNumberIsUnknown(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for got, want := range map[string]string{
		Seconds(nan): "an unknown time", Percent(nan): "unknown", Percent(inf): "unknown", Percent(-inf): "unknown", Percent(1e7): "unknown",
		Percent(1.5): "150%", Percent(-0.25): "-25%", Rate(inf): "4.6 EB/s", Rate(nan): "0 B/s",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestClock(t *testing.T) {
	now := time.Date(2026, 11, 25, 0, 30, 0, 0, time.FixedZone("CET", 3600))
	for want, at := range map[string]time.Time{
		"00:10:00":        now.Add(-20 * time.Minute).UTC(),
		"24 Nov 23:50:00": now.Add(-40 * time.Minute),
		"26 Nov 00:30:00": now.Add(24 * time.Hour),
		"25 Nov 00:30:00": now.AddDate(-1, 0, 0),
	} {
		if got := Clock(at, now); got != want {
			t.Errorf("Clock(%v) = %q, want %q", at, got, want)
		}
	}
}

func TestStamp(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	if got := Stamp(time.Date(2026, 11, 25, 2, 3, 20, 0, zone)) + Stamp(time.Time{}); got != "25 Nov 02:03:20 CET" {
		t.Error(got)
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
