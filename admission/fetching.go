package admission

import (
	"fmt"
	"strings"

	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/humane"
)

// mostAssumed bounds the stages that a verdict says something of.
const mostAssumed = 3

// worthSaying is the share of a job's time, one in so many, from which on what it fetches is said.
const worthSaying = 20

// stageFetch is what the tasks of a stage that are left copy from other hosts in all, and how long
// that holds the stage up.
func (l *load) stageFetch(stage int) (bytes int64, seconds float64) {
	t := &l.terms[stage]
	total := min(t.fetch.bytes*float64(t.left), 1<<62)
	return int64(total), span.Round(t.fetch.seconds*float64(t.unit.rounds(t.left)), 1e3)
}

// fetching says what a job's stages copy from other hosts, and how long that takes; "" if that is
// little of its time. It names at most mostAssumed stages.
func (l *load) fetching() string {
	var all []string
	for i := range l.terms {
		bytes, seconds := l.stageFetch(i)
		if bytes == 0 || worthSaying*span.Of(seconds) < l.path || len(all) == mostAssumed {
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
func (l *load) sources(stage int) string {
	var names []string
	for _, from := range l.shape.Stages[stage].From {
		if int(from.Stage) < len(l.shape.Stages) {
			names = append(names, l.shape.Stages[from.Stage].Name)
		}
	}
	if len(names) > 1 {
		return "stages " + strings.Join(names, ", ")
	}
	return "stage " + strings.Join(names, "")
}

// fetched fills in what is assumed that a stage copies.
func (l *load) fetched(stage int, s *subjects.Assumption) {
	if s.FetchBytes, s.FetchSeconds = l.stageFetch(stage); s.FetchBytes > 0 {
		s.FetchFrom = l.sources(stage)
	}
}
