package chaos

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Coverage counts how often each fault happened after each kind of log entry: fault → kind of the last
// entry before it → count.
type Coverage map[string]map[string]int

// count notes that a fault has happened now.
func (c *watcher) count(fault string) { c.coverage.add(fault, cmp.Or(c.last, "nothing"), 1) }

func (c Coverage) add(fault, event string, n int) {
	if c[fault] == nil {
		c[fault] = map[string]int{}
	}
	c[fault][event] += n
}

// Merge adds another run's counts.
func (c Coverage) Merge(other Coverage) {
	for fault, events := range other {
		for event, n := range events {
			c.add(fault, event, n)
		}
	}
}

// Missing returns the faults that never happened, sorted.
func (c Coverage) Missing() []string {
	var missing []string
	for fault := range kinds {
		if len(c[fault]) == 0 {
			missing = append(missing, fault)
		}
	}
	slices.Sort(missing)
	return missing
}

// String returns a table with a line for each fault and a column for each kind of entry.
func (c Coverage) String() string {
	events := map[string]bool{}
	for _, row := range c {
		for event := range row {
			events[event] = true
		}
	}
	columns := slices.Sorted(maps.Keys(events))
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 1, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(tw, "after\t%s\t\n", strings.Join(columns, "\t")) // into memory
	for _, fault := range slices.Sorted(maps.Keys(c)) {
		_, _ = fmt.Fprintf(tw, "%s\t", fault)
		for _, event := range columns {
			_, _ = fmt.Fprintf(tw, "%d\t", c[fault][event])
		}
		_, _ = fmt.Fprintln(tw)
	}
	_ = tw.Flush()
	return b.String()
}
