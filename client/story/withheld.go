package story

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/humane"
)

// mostWithheld bounds the hosts that Withheld names.
const mostWithheld = 3

// Withheld names the hosts on which the guard leaves tasks no CPU, with the reason, from the
// hosts' newest telemetry; "" for none.
func Withheld(usage map[string]*subjects.Usage) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(usage)) {
		if u := usage[name]; u.Guarded != "" && u.Cap <= 0 {
			names = append(names, name)
		}
	}
	var b strings.Builder
	for _, name := range names[:min(len(names), mostWithheld)] {
		fmt.Fprintf(&b, "Now: host %s gives tasks no CPU: %s.\n", name, usage[name].Guarded)
	}
	if more := len(names) - mostWithheld; more > 0 {
		fmt.Fprintf(&b, "Now: %s more give tasks no CPU: see `lull hosts`.\n", humane.Count(more, "host"))
	}
	return b.String()
}
