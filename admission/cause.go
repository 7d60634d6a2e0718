package admission

import (
	"fmt"
	"strings"

	"lull/admission/span"
	"lull/subjects/humane"
)

// cause names what is different from when the job was admitted, in the order of
// how sure it is; "" when nothing is.
func (w *checker) cause(l *load, now conditions) string {
	var all []string
	add := func(when bool, format string, args ...any) {
		if when {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	if p := w.Book.Promises[l.id()]; p != nil {
		lost := w.Book.Lost - p.Lost
		add(lost > 0, "%s since it was admitted", gone(lost))
		add(p.Urgent > 0, "%s pushed it back by %s", humane.Count(p.Urgent, "more urgent job"), about(span.Of(p.Pushed)))
	}
	add(l.pace.slow > 1, "its tasks take %.1f times what their model says", l.pace.slow)
	add(now.idle < 0.9*l.since.idle, "primaries leave %.1f cores, they left %.1f when it was admitted", now.idle, l.since.idle)
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

func (w *checker) drifts(l *load) bool {
	for i := range l.terms {
		if m := w.Ledger.Model(l.terms[i].model); m != nil && m.Drift && l.terms[i].left > 0 {
			return true
		}
	}
	return false
}

// starved reports whether tasks that read from data nodes could run now and do
// not.
func (w *checker) starved(l *load) bool {
	level := w.pool.supply.level
	if l.life == nil || level.Slots() == 0 || level.Free[0] > 0 {
		return false
	}
	for i := range l.terms {
		if len(l.shape.Stages[i].Sources) > 0 && l.terms[i].left > 0 && l.life.Ready(i) && l.life.Stages[i].Held == 0 {
			return l.terms[i].unit.class.slots.Usable() > 0
		}
	}
	return false
}
