package admission

import (
	"fmt"
	"strings"

	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects/humane"
)

// cause names what has changed since the job was admitted, or keeps it from running as predicted: the
// most certain causes first, "" if there are none.
func (w *checker) cause(l *pool.Load, now pool.Conditions) string {
	var all []string
	add := func(when bool, format string, args ...any) {
		if when {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	if p := w.Book.Promises[l.ID()]; p != nil {
		lost := w.Book.Lost - p.Lost
		add(lost > 0, "%s since it was admitted", gone(lost))
		add(p.Urgent > 0, "%s pushed it back by %s", humane.Count(p.Urgent, "more urgent job"), about(span.Of(p.Pushed)))
	}
	add(l.Pace.Slow > 1, "its tasks take %.1f times what their model says", l.Pace.Slow)
	add(now.Idle < 0.9*l.Since.Idle, "primaries leave %.1f cores, they left %.1f when it was admitted", now.Idle, l.Since.Idle)
	add(w.drifts(l), "its run times vary too much to predict")
	add(w.starved(l), "its tasks wait although slots are free: the data nodes they read from may be saturated")
	return strings.Join(all, "; ")
}

func gone(hosts int) string {
	if hosts == 1 {
		return "1 host is gone"
	}
	return humane.Count(hosts, "host") + " are gone"
}

func (w *checker) drifts(l *pool.Load) bool {
	for i := range l.Stages {
		if m := w.Ledger.Model(l.Stages[i].Model); m != nil && m.Drift && l.Stages[i].Left > 0 {
			return true
		}
	}
	return false
}

// starved reports whether the job has a stage that reads from data nodes, could run on free slots
// now, and yet has no running task.
func (w *checker) starved(l *pool.Load) bool {
	level := w.pool.Supply.Level
	if l.Life == nil || level.Slots() == 0 || level.Free[0] > 0 {
		return false
	}
	for i := range l.Stages {
		if len(l.Shape.Stages[i].Sources) > 0 && l.Stages[i].Left > 0 && l.Life.Ready(i) && l.Life.Stages[i].Held == 0 {
			return l.Stages[i].Unit.Class.Slots.Usable() > 0
		}
	}
	return false
}
