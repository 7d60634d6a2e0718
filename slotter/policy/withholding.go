package policy

import (
	"time"

	"lull/slotter/facts"
	"lull/slotter/waitlist"
)

const (
	// enough is the least that a task must add to the pool's progress on a slot for the slot to be
	// filled, as a share of what the task adds on a usual slot (see supply.Supply.Usual). In MIMP's
	// case study, values from 0.3 to 0.8 lower the total task time by 8 to 13 %, so the choice is
	// not critical.
	enough = 0.6
	// longQueue is a limit on the time that the pool needs for all waiting tasks. Beyond it, enough is
	// lowered in proportion, so that a pool with hours of waiting work leaves hardly any CPU unused.
	longQueue = 10 * 60.0 // seconds
	// little is the least value of enough. A task that adds less costs more to start.
	little = 0.1
	// shortTask is a predicted time of a task. No slot is left empty for shorter ones: waiting for a
	// better slot takes as long as the task, which slows the tasks beside it only briefly.
	shortTask = 1.0 // seconds
	// withholdMost is the longest time for which a job gets no slot because slots are left
	// empty. Then its next task takes any slot.
	withholdMost = int64(time.Minute)
	// withholdLook is the longest time until an empty slot is considered again.
	withholdLook = int64(5 * time.Second)
)

// withholding leaves slots empty for now although tasks wait for them.
type withholding struct {
	*facts.Facts
	waitlist *waitlist.Waitlist
	urgency  *urgency
	far      func() float64 // time that the tasks of far jobs (see package backlog) would take on usual slots, in seconds
	enough   float64        // the constant of this name, as lowered for this round by weighQueue
}

// withholds reports whether a host's next slot is better left empty than given to the work's next task,
// because the task would take most of its CPU from the tasks beside it. Two tasks that compute
// on a host with one idle core take twice as long each, and end no sooner than one after the other.
// A task that mostly waits for a disk adds enough. For a task that is over soon, the wait is not
// worth it.
func (x *withholding) withholds(w *facts.Work, h *facts.Host) bool {
	l := w.Group.Line
	if h.Free() == 0 || x.Now-w.Job.Served >= withholdMost || facts.Within(shortTask, w.Curve, h.Residual(l.EmptySlotsNeeded(h))) {
		return false
	}
	if h.ProgressGain(w.Curve, l) >= x.enough*l.Cores().Float()/w.Curve.Norm(facts.ResidualAt(x.Supply.Usual())) {
		return false
	}
	x.DecideAt(x.Now + withholdLook)
	return true
}

// unserved returns the line's first work, by submission, of a job that got no slot for withholdMost and
// none in this round. Such a job may stand behind others that have enough slots.
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

// weighQueue sets enough for this round. While deadlines are at risk it is as low as it can be, so
// that nearly every slot is filled. Otherwise it falls with the length of the queue.
func (x *withholding) weighQueue() {
	if x.urgency.overloadedUntil != 0 {
		x.enough = little
		return
	}
	waits := 0.0 // seconds of a usual slot
	for _, l := range x.waitlist.Ready {
		for _, w := range l.Works {
			waits += float64(w.Usable()) * l.Cores().Float() * x.Usual(w.Curve)
		}
	}
	waits += x.far()
	x.enough = enough
	if takes := waits / max(x.Supply.Cores(), 1); takes > longQueue {
		x.enough = max(enough*longQueue/takes, little)
	}
}

// noteUnused notes that no task of the line takes the host's next slot, so that the next rounds need not
// ask again. It notes nothing if any data node has a limit, because then the answer may change at any
// time.
func (x *withholding) noteUnused(l *facts.Line, h *facts.Host) {
	if x.DataNodes.Limited() {
		return
	}
	h.LeaveUnused(l, x.enough, min(x.Now+withholdLook, l.Served+withholdMost))
}

// stillUnused reports whether what noteUnused noted still holds.
func (x *withholding) stillUnused(l *facts.Line, h *facts.Host) bool {
	until, stays := h.StaysUnused(l, x.enough, x.Now)
	if stays {
		x.DecideAt(until)
	}
	return stays
}
