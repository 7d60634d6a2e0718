package waitlist

import (
	"slices"

	"lull/slotter/facts"
	"lull/subjects/spec"
)

// WeighTurns finds out how far each queue is from its share of the slots, and
// whether several wait for them. With one queue alone there is nothing to find.
func (x *Waitlist) WeighTurns() {
	if !x.Queues.Several() {
		return
	}
	x.Queues.ClearDemand()
	for _, j := range x.Jobs.BySeq {
		countDemand(j)
	}
	x.Contest = x.Queues.Divide(x.Now, x.Supply.Slots(), x.Config.Borrow)
}

// countDemand adds up what the job holds and, if it may have tasks, waits for.
func countDemand(j *facts.Job) {
	for i, st := range j.Life.Stages {
		cores := j.Life.Shape.Stages[i].Cores()
		j.Queue.HeldSlots += slotsOf(st.Held, cores)
		if n := facts.Tryable(j, i); n > 0 && j.Admitted && j.Life.Ready(i) {
			j.Queue.WaitingSlots += slotsOf(n, cores)
		}
	}
}

// slotsOf is how many slots so many tasks take together.
func slotsOf(tasks int, each spec.Cores) int {
	return (tasks*int(each) + int(spec.Core) - 1) / int(spec.Core)
}

// Admit finds out which jobs may have tasks in this round. Of a queue with a limit these
// are the jobs that run, and then, by submission, those that a host could run. A job
// that only absent hosts could run takes the place of no other.
func (x *Waitlist) Admit() {
	limited := x.Queues.ClearAdmitted()
	for _, j := range x.Jobs.BySeq {
		j.Admitted = !j.Queue.Limited() || j.Life.Held() > 0 && j.Queue.Admit()
	}
	if !limited {
		return
	}
	could := map[*facts.Line]bool{}
	for _, j := range x.Jobs.BySeq {
		if !j.Admitted && j.Queue.HasRoom() && j.Life.Held() == 0 && x.runnable(j, could) {
			j.Admitted = j.Queue.Admit()
		}
	}
}

// runnable reports whether a host that takes tasks could run one of the job's. could is
// what is known of lines.
func (x *Waitlist) runnable(j *facts.Job, could map[*facts.Line]bool) bool {
	if _, dead := j.Life.Dead(); dead {
		return false
	}
	for i := range j.Life.Stages {
		if facts.Tryable(j, i) == 0 || !j.Life.Ready(i) {
			continue
		}
		l := x.Group(j, i).Line
		fits, known := could[l]
		if !known {
			fits = slices.ContainsFunc(x.Hosts.ByName, func(h *facts.Host) bool { return x.Eligible(h) && h.CouldFit(l) })
			could[l] = fits
		}
		if fits {
			return true
		}
	}
	return false
}
