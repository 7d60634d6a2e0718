package jobs

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

var stateNames = []string{
	ledger.Submitted.String(), ledger.Trying.String(), ledger.Admitted.String(), ledger.Finished.String(),
	ledger.Failed.String(), ledger.Cancelled.String(), ledger.Rejected.String(), subjects.OpenJobs,
}

// asked is the question that the flags ask.
func (j *jobs) asked() (ask subjects.JobsAsk, err error) {
	for _, state := range j.states {
		if !slices.Contains(stateNames, state) {
			return ask, exit.With(exit.Usage, fmt.Errorf("--state %q: use %s", state, strings.Join(stateNames, ", ")))
		}
	}
	if _, err := path.Match(j.name, ""); err != nil {
		return ask, exit.With(exit.Usage, fmt.Errorf("--name %q: %w: close every [", j.name, err))
	}
	if j.queue != "" {
		if err := spec.CheckQueue(j.queue); err != nil {
			return ask, exit.With(exit.Usage, fmt.Errorf("--%w", err))
		}
	}
	since, err := sinceOf(j.since, time.Now())
	if err != nil {
		return ask, exit.With(exit.Usage, err)
	}
	return subjects.JobsAsk{States: j.states, Queue: j.queue, Name: j.name, Since: since}, nil
}

// sinceOf returns the beginning of the time that a text means, in Unix nanoseconds, 0 for "". A
// time of day is the last such time.
func sinceOf(text string, now time.Time) (int64, error) {
	if text == "" {
		return 0, nil
	}
	if span, err := time.ParseDuration(text); err == nil && span > 0 {
		return nanoseconds(now.Add(-span)), nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return nanoseconds(at), nil
	}
	if at, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return nanoseconds(at), nil
	}
	clock, err := time.Parse("15:04", text)
	if err != nil {
		return 0, fmt.Errorf("--since %q: give a duration as 2h, a time of day as 06:00, a day as 2026-11-21, or a time as 2026-11-21T06:00:00Z", text)
	}
	at := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
	if at.After(now) {
		at = time.Date(now.Year(), now.Month(), now.Day()-1, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	}
	return nanoseconds(at), nil
}

// nanoseconds is a time in Unix nanoseconds, 0 for one before 1970, since no job is as old. What is too late
// for nanoseconds, after 2262, is the last such time.
func nanoseconds(at time.Time) int64 {
	switch seconds := at.Unix(); {
	case seconds < 0:
		return 0
	case seconds >= math.MaxInt64/int64(time.Second):
		return math.MaxInt64
	}
	return at.UnixNano()
}
