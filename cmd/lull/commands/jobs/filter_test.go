package jobs

import (
	"math"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
	"lull/subjects/spec"
)

func TestSinceIsASpanOrATime(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2h": now.Add(-2 * time.Hour), "06:00": now.Add(-210 * time.Minute), "10:00": now.Add(-23*time.Hour - 30*time.Minute),
		"2026-11-20": time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), "2026-11-21T06:00:00+01:00": now.Add(-270 * time.Minute),
	} {
		if got, err := sinceOf(text, now); err != nil || got != want.UnixNano() {
			t.Errorf("sinceOf(%q) = %v, %v, want %v", text, time.Unix(0, got).UTC(), err, want)
		}
	}
	for _, text := range []string{"-2h", "yesterday", "0s", "25:00"} {
		if got, err := sinceOf(text, now); err == nil {
			t.Errorf("sinceOf(%q) = %v, want an error", text, time.Unix(0, got))
		}
	}
}

// TestSinceReachesAllDays: also those of years that do not fit in 64 bits of nanoseconds.
func TestSinceReachesAllDays(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	for text, want := range map[string]int64{"9999-01-01": math.MaxInt64, "2262-04-12": math.MaxInt64, "1450-01-01": 0, "0001-01-01": 0, "2000000h": 0} {
		if got, err := sinceOf(text, now); err != nil || got != want {
			t.Errorf("sinceOf(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

// Jobs that name no queue are in default, where lull queues counts them.
func TestJobsOfTheDefaultQueueAreFound(t *testing.T) {
	ask, err := (&jobs{queue: "default"}).asked()
	if err != nil {
		t.Fatal(err)
	}
	for queue, want := range map[string]int{"": 1, "default": 1, "other": 0} {
		s := ledger.New()
		job := spec.Job{Name: "j", Type: "j", Queue: queue, Stages: []spec.Stage{{Name: "s", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1}}}
		s.Apply(1, time.Unix(1, 0), &subjects.Submitted{Job: "j", Spec: job})
		if got := len(page.Jobs(s, &ask).Jobs); got != want {
			t.Errorf("jobs of queue %q under --queue default = %d, want %d", queue, got, want)
		}
	}
}
