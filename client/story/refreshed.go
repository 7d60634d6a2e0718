package story

import (
	"strings"

	"lull/subjects"
	"lull/subjects/humane"
)

// refreshed says of how many tasks a retry pinned the inputs anew, "" if of none.
func (t *teller) refreshed(again []subjects.Again) string {
	var parts []string
	for _, a := range again {
		n := 0
		for _, span := range a.Tasks {
			n += int(span.Count)
		}
		parts = append(parts, humane.Count(n, "task")+" of "+t.stage(a.Stage))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; inputs changed for " + strings.Join(parts, ", ") + ", which run again as does all that reads what they wrote"
}
