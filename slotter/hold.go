package slotter

import (
	"time"

	"lull/subjects/tct"
)

const (
	// enough is the part of what a task adds to the pool's progress on a
	// usual slot (see supply.usual) that it must add on this one for the slot to
	// be filled. In MIMP's case study 0.3 to 0.8 lower the total task time by
	// 8 to 13 %: the choice within is not critical.
	enough = 0.6
	// deep is the time in which the pool completes what waits, beyond which a
	// slot is filled for less: in proportion, so that a pool with hours of work
	// before it leaves hardly any CPU unused.
	deep = 10 * 60.0 // seconds
	// little is what is never enough: it costs more to start the task.
	little = 0.1
	// soon is the longest predicted time of a task for which no slot is left empty: better slots
	// are waited for as long, and the tasks beside it are slower for no longer.
	soon = 1.0 // seconds
	// holdMost is how long a job is given nothing at most while slots are left
	// empty. Its next task then takes what there is.
	holdMost = int64(time.Minute)
	// holdLook is when a slot that was left empty is looked at again, at the
	// latest.
	holdLook = int64(5 * time.Second)
)

// holds reports whether this slot is better left empty than given to the work's
// next task: because most of what the task would have there is taken from those
// that run beside it. Two tasks that compute on a host with one idle core take
// twice as long each, and end no sooner than one after the other. A task that mostly
// waits for a disk adds enough. For a task that is over soon, the wait is not worth it.
func (r *round) holds(w *work, h *host) bool {
	l := w.group.line
	if h.free() == 0 || r.now-w.job.served >= holdMost || within(soon, w.curve, h.residual(l.cpu)) {
		return false
	}
	if h.adds(w.curve, l.cpu) >= r.enough*float64(l.cpu)/w.curve.Norm(residualAt(r.a.supply.usual())) {
		return false
	}
	r.a.look(r.now + holdLook)
	return true
}

// unserved is the first job that was given nothing for holdMost, and has still
// been given nothing in this round: it may stand behind others of its kind that
// hold slots enough.
func (r *round) unserved(l *line, step int) *work {
	if r.now-l.served < holdMost {
		return nil
	}
	for i := l.asked; i < len(l.works); i++ {
		w := l.works[i]
		switch {
		case w.dry || w.job.planned > 0 || r.now-w.job.served < holdMost:
			if i == l.asked {
				l.asked++
			}
		case !r.saturated(w, residualAt(step)):
			return w
		}
	}
	return nil
}

// weighQueue says what is enough in this round: while deadlines press, all that
// adds anything.
func (r *round) weighQueue() {
	if r.pressed != 0 {
		r.enough = little
		return
	}
	waits := 0.0 // seconds of a usual slot
	for _, l := range r.lines {
		for _, w := range l.works {
			waits += float64(w.life.Waiting()) * float64(l.cpu) * r.a.usual(w.curve)
		}
	}
	waits += r.a.backlog.farSeconds()
	r.enough = enough
	if takes := waits / max(r.a.supply.cores(), 1); takes > deep {
		r.enough = max(enough*deep/takes, little)
	}
}

// adds is by how much the progress of all that runs on the host rises with one
// task more. A task alone on idle cores has a progress of one a core
// (1 / NormTCT, equation 2). What the round has planned there counts as
// conserved work.
func (h *host) adds(c *tct.Curve, width uint32) float64 {
	now, then := h.residual(0), h.residual(width)
	from, to := tct.Step(now), tct.Step(then)
	sum := float64(width) / c.Norm(h.ahead(width))
	if from == to {
		return sum
	}
	slots := min(h.busy, h.slots)
	for i := range h.attempts {
		s := &h.attempts[i]
		sum -= float64(s.life.Width) * (1/s.curve.NormAt(from) - 1/s.curve.NormAt(to))
		slots -= int(s.life.Width)
	}
	return sum - float64(max(slots, 0))*(now-then)
}

// fallow is what is known of a host that was left empty: that it is, for the
// tasks of a line, until a time. In a pool with many such hosts, asking each of
// them for all tasks cost a quarter of every round.
type fallow struct {
	line   *line
	news   int // of the line
	enough float64
	until  int64
}

// leave notes that no task of the line takes the host's slot. With data nodes to
// mind that can change at any time.
func (r *round) leave(l *line, h *host) {
	if r.a.dataNodes.Limited() {
		return
	}
	h.fallow = fallow{l, l.news, r.enough, min(r.now+holdLook, l.served+holdMost)}
}

// isFallow reports whether still no task would take it: the host is as it was, no
// other kind of task has come, and no less is enough.
func (r *round) isFallow(l *line, h *host) bool {
	f := &h.fallow
	if f.line != l || f.news != l.news || r.enough < f.enough || r.now >= f.until {
		return false
	}
	r.a.look(f.until)
	return true
}
