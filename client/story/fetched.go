package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/humane"
)

// fetched is what the tasks of a stage copied from other hosts.
type fetched struct {
	tasks   int
	seconds float64
	racks   map[string]int64 // bytes
}

// fetches sums up what each stage copied from other hosts before its tasks started.
func (t *teller) fetches(history []actors.Entry) {
	all := map[uint32]*fetched{}
	for _, entry := range history {
		e, ok := entry.Event.(*subjects.Finished)
		if !ok || e.Copied() == 0 {
			continue
		}
		if all[e.Stage] == nil {
			all[e.Stage] = &fetched{racks: map[string]int64{}}
		}
		all[e.Stage].add(&e.Fetch)
	}
	for stage := range uint32(len(t.job.Shape.Stages)) {
		if f := all[stage]; f != nil {
			t.sayf("Stage %s fetched %s from other hosts%s: %s for %s on average.", t.stage(stage), humane.Bytes(f.bytes()), f.from(),
				humane.Seconds(f.seconds/float64(f.tasks)), each(f.tasks))
		}
	}
}

// each is the task of a number of which an average is taken.
func each(tasks int) string {
	if tasks == 1 {
		return "its task"
	}
	return fmt.Sprintf("each of %s", humane.Count(tasks, "task"))
}

func (f *fetched) add(e *subjects.Fetch) {
	f.tasks++
	f.seconds += e.Fetching
	for _, from := range e.Fetched {
		f.racks[from.Rack] += from.Bytes
	}
}

func (f *fetched) bytes() (sum int64) {
	for _, bytes := range f.racks {
		sum += bytes
	}
	return sum
}

// from names the racks from which most of the bytes came, "" if hosts have no racks.
func (f *fetched) from() string {
	var names []string
	for rack := range f.racks {
		if rack != "" && rack != subjects.OtherRacks {
			names = append(names, rack)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(f.racks[b], f.racks[a]), cmp.Compare(a, b)) })
	for i, rack := range names {
		names[i] = fmt.Sprintf("rack %s: %s", rack, humane.Bytes(f.racks[rack]))
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names[:min(len(names), lastOf)], ", ") + ")"
}

// before describes what an attempt copied before it started, "" for nothing.
func before(e *subjects.Fetch) string {
	if e.Copied() == 0 {
		return ""
	}
	f := &fetched{racks: map[string]int64{}}
	f.add(e)
	return fmt.Sprintf(" It had fetched %s from other hosts%s before, in %s.", humane.Bytes(f.bytes()), f.from(), humane.Seconds(e.Fetching))
}
