package pool

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"lull/admission/facts"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// fences are classes of tenants to whose hosts the slotter keeps jobs (job steered). A promise rests
// on the slots of these alone, also while the job is in danger and may run elsewhere: that is how
// the danger passes. The classes of a job that was not steered yet follow from a draw that is still
// to come, so the smallest class that may be drawn is assumed.
type fences struct {
	*facts.Facts
	steers bool // the slotter steers jobs
	rooms  []classRoom
}

// classRoom is what the hosts of a class offer.
type classRoom struct {
	class string
	slots int // on average
}

// betweenClasses separates classes in a fence.
const betweenClasses = "\x00"

// follow notes whether the slotter steers.
func (f *fences) follow(e subjects.Event, c ledger.Change) {
	switch e := e.(type) {
	case *subjects.Steered:
		f.steers = true
	case *subjects.Assigned:
		if f.steers && c.Job.Steering == nil && !c.Job.Shape.Stages[e.Stage].Publish {
			f.steers = false
		}
	}
}

// learn takes over what a snapshot's jobs tell.
func (f *fences) learn(j *ledger.Job) {
	if j.Steering != nil {
		f.steers = true
	}
}

// count sums up what the hosts of each class offer.
func (f *fences) count(offers []offer) {
	sums := map[string]int{}
	for i := range offers {
		if o := &offers[i]; o.class != "" {
			slots, _ := o.Average()
			sums[o.class] += slots
		}
	}
	f.rooms = f.rooms[:0]
	for _, class := range slices.Sorted(maps.Keys(sums)) {
		f.rooms = append(f.rooms, classRoom{class, sums[class]})
	}
	slices.SortStableFunc(f.rooms, func(a, b classRoom) int { return cmp.Compare(a.slots, b.slots) })
}

// of returns the classes on whose hosts a stage of a load may run, with betweenClasses between them, ""
// for all hosts.
func (f *fences) of(l *Load, stage *spec.Stage) string {
	switch {
	case stage.Publish || l.Life == nil && !f.steers:
		return ""
	case l.Life == nil || l.Life.Steering == nil && f.steers && l.Life.Totals.Attempts == 0:
		return f.assumed(l.Shape)
	case l.Life.Steering == nil || !slices.ContainsFunc(f.rooms, func(r classRoom) bool { return slices.Contains(l.Life.Steering.Classes, r.class) }):
		return "" // its classes have no host any more: it is steered anew
	}
	return strings.Join(l.Life.Steering.Classes, betweenClasses)
}

// assumed is the smallest class with room for the whole job, "" if no class has that: several are
// then drawn until they have it together, or the job runs everywhere.
func (f *fences) assumed(job *spec.Job) string {
	need := job.Widest()
	for _, r := range f.rooms {
		if int64(r.slots)*int64(spec.Core) >= need {
			return r.class
		}
	}
	return ""
}

// classOf is the class of a host's tenant, "" for none.
func (s *supply) classOf(h *ledger.Host) string {
	if s.Ledger.Tenants.Last() == nil {
		return ""
	}
	if class := s.Ledger.Classified(h); class != nil {
		return class.Class
	}
	return ""
}
