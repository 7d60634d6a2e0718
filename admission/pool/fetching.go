package pool

import (
	"fmt"
	"strings"

	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/humane"
)

// MostAssumed bounds the stages that a verdict says something of.
const MostAssumed = 3

// worthSaying is the share of a job's time, one in so many, from which on what it fetches is said.
const worthSaying = 20

// stageFetch is what the tasks of a stage that are left copy from other hosts in all, and how long
// that holds the stage up.
func (l *Load) stageFetch(stage int) (bytes int64, seconds float64) {
	t := &l.Stages[stage]
	total := min(t.Fetch.bytes*float64(t.Left), 1<<62)
	return int64(total), span.Round(t.Fetch.seconds*float64(t.Unit.rounds(t.Left)), 1e3)
}

// Fetching says what a job's stages copy from other hosts, and how long that takes; "" if that is
// little of its time. It names at most mostAssumed stages.
func (l *Load) Fetching() string {
	var all []string
	for i := range l.Stages {
		bytes, seconds := l.stageFetch(i)
		if bytes == 0 || worthSaying*span.Of(seconds) < l.Path || len(all) == MostAssumed {
			continue
		}
		all = append(all, fmt.Sprintf("fetching %s from %s: about %s", humane.Bytes(bytes), l.sources(i), humane.Seconds(seconds)))
	}
	if len(all) == 0 {
		return ""
	}
	return "; " + strings.Join(all, ", ")
}

// sources names the stages that a stage reads.
func (l *Load) sources(stage int) string {
	var names []string
	for _, from := range l.Shape.Stages[stage].From {
		if int(from.Stage) < len(l.Shape.Stages) {
			names = append(names, l.Shape.Stages[from.Stage].Name)
		}
	}
	if len(names) > 1 {
		return "stages " + strings.Join(names, ", ")
	}
	return "stage " + strings.Join(names, "")
}

// Fetched fills in what is assumed that a stage copies.
func (l *Load) Fetched(stage int, s *subjects.Assumption) {
	if s.FetchBytes, s.FetchSeconds = l.stageFetch(stage); s.FetchBytes > 0 {
		s.FetchFrom = l.sources(stage)
	}
}
