package actors

import (
	"fmt"
	"slices"

	"lull/subjects"
	"lull/subjects/history"
)

// CheckHistory returns an error if a message is none that PutHistory keeps. The other streams
// take messages, too, and one that is sent on their subjects by mistake would enter them.
func CheckHistory(pool subjects.Pool, m subjects.Message) error {
	matches := func(pattern string) bool { return Match(pattern, m.Subject) }
	if !slices.ContainsFunc(pool.HistorySubjects(), matches) {
		return fmt.Errorf("history: subject %s is none of %v", m.Subject, pool.HistorySubjects())
	}
	if len(m.Body) > history.MaxBody {
		return fmt.Errorf("history: a block of %d bytes on %s, more than %d", len(m.Body), m.Subject, history.MaxBody)
	}
	return nil
}
