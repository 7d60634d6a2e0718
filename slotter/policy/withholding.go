package policy

import (
	"time"

	"lull/slotter/facts"
	"lull/slotter/waitlist"
)

const (
	// enough is how much a task must add to the pool's progress on this slot for the slot to be
	// filled, as a part of what it adds on a usual slot (see supply.Supply.Usual). In MIMP's case
	// study values of 0.3 to 0.8 lower the total task time by 8 to 13 %: the choice is not
	// critical.
	enough = 0.6
	// longQueue is a time to complete the waiting tasks. If the pool needs longer, a slot is filled
	// for less, in proportion, so that a pool with hours of work before it leaves hardly any CPU
	// unused.
	longQueue = 10 * 60.0 // seconds
	// little is what is never enough: it costs more to start the task.
	little = 0.1
	// shortTask is the longest predicted time of a task for which no slot is left empty. The wait
	// for a better slot takes as long, and the tasks beside it are slower for no longer.
	shortTask = 1.0 // seconds
	// withholdMost is how long a job is given nothing at most while slots are left
	// empty. Its next task then takes what there is.
	withholdMost = int64(time.Minute)
	// withholdLook is when a slot that was left empty is looked at again, at the
	// latest.
	withholdLook = int64(5 * time.Second)
)

// withholding leaves slots empty for now although tasks wait for them.
type withholding struct {
	*facts.Facts
	waitlist *waitlist.Waitlist
	urgency  *urgency
	far      func() float64 // seconds of a usual slot that jobs far back in the queue ask for
	enough   float64        // what a task must add to the progress of its host, over what it adds on a usual slot
}

// withholds reports whether this slot is better left empty than given to the work's next task,
// because the task would take most of its CPU from those that run beside it. Two tasks that compute
// on a host with one idle core take twice as long each, and end no sooner than one after the other.
// A task that mostly waits for a disk adds enough. For a task that is over soon, the wait is not
// worth it.
func (x *withholding) withholds(w *facts.Work, h *facts.Host) bool {
	l := w.Group.Line
	if h.Free() == 0 || x.Now-w.Job.Served >= withholdMost || facts.Within(shortTask, w.Curve, h.Residual(l.More(h))) {
		return false
	}
	if h.Adds(w.Curve, l) >= x.enough*l.Cores().Float()/w.Curve.Norm(facts.ResidualAt(x.Supply.Usual())) {
		return false
	}
	x.DecideAt(x.Now + withholdLook)
	return true
}

// unserved returns the first job that has got nothing for withholdMost, nor in this round: it may
// stand behind others of its kind that have enough slots.
func (x *withholding) unserved(l *facts.Line, step int) *facts.Work {
	if x.Now-l.Served < withholdMost {
		return nil
	}
	for i := l.UnservedFront; i < len(l.Works); i++ {
		w := l.Works[i]
		switch {
		case w.Dry || w.Job.Planned > 0 || x.Now-w.Job.Served < withholdMost:
			if i == l.UnservedFront {
				l.UnservedFront++
			}
		case !x.Saturated(w, facts.ResidualAt(step)):
			return w
		}
	}
	return nil
}

// weighQueue says what is enough in this round: while deadlines are at risk, all that
// adds anything.
func (x *withholding) weighQueue() {
	if x.urgency.overloadedUntil != 0 {
		x.enough = little
		return
	}
	waits := 0.0 // seconds of a usual slot
	for _, l := range x.waitlist.Ready {
		for _, w := range l.Works {
			waits += float64(w.Life.Waiting()) * l.Cores().Float() * x.Usual(w.Curve)
		}
	}
	waits += x.far()
	x.enough = enough
	if takes := waits / max(x.Supply.Cores(), 1); takes > longQueue {
		x.enough = max(enough*longQueue/takes, little)
	}
}

// noteUnused notes that no task of the line takes the host's slot. Where data nodes have
// limits that can change at any time.
func (x *withholding) noteUnused(l *facts.Line, h *facts.Host) {
	if x.DataNodes.Limited() {
		return
	}
	h.LeaveUnused(l, x.enough, min(x.Now+withholdLook, l.Served+withholdMost))
}

// stillUnused reports whether still no task of the line would take the slot.
func (x *withholding) stillUnused(l *facts.Line, h *facts.Host) bool {
	until, stays := h.StaysUnused(l, x.enough, x.Now)
	if stays {
		x.DecideAt(until)
	}
	return stays
}
