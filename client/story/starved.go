package story

import (
	"fmt"
	"strings"

	"lull/subjects"
	"lull/subjects/humane"
)

// Starved says which data nodes a job's next tasks wait for, "" for none.
func Starved(nodes []subjects.DataNode) string {
	var b strings.Builder
	for _, n := range nodes {
		if n.Overloaded {
			fmt.Fprintf(&b, "Now: waits for data node %s: %s of %s in use.\n", n.Name, humane.Rate(n.Load), humane.Rate(n.Capacity))
		}
	}
	return b.String()
}
