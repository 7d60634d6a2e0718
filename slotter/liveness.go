package slotter

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lull/actors"
	"lull/subjects"
)

// liveness detects the hosts that are lost. When many fall silent at once it suspects the
// network, or this process, instead of them.
type liveness struct {
	*facts
	suspectedAt int64 // since when it suspects itself, 0 if it does not
	suspicion   Suspicion
	reported    Suspicion
}

// Suspicion is an action: report that so many of the present hosts are silent at once
// that the slotter suspects itself. Zeros say that this is over. Until then the slotter
// assigns nothing, and for Config.Doubt it declares no host lost.
type Suspicion struct{ Silent, Present int }

// String says it in a sentence.
func (s Suspicion) String() string {
	if s.Silent == 0 {
		return "hosts beat again: assigning goes on"
	}
	return fmt.Sprintf("%d of %d hosts fell silent together: nothing is assigned, because this is rather the network or this process", s.Silent, s.Present)
}

// report turns the beginning and the end of a suspicion into an action each.
func (l *liveness) report() []actors.Action {
	now := Suspicion{}
	if l.suspects() {
		now = l.suspicion
	}
	if (now.Silent == 0) == (l.reported.Silent == 0) {
		return nil
	}
	l.reported = now
	return []actors.Action{now}
}

// suspects reports whether the slotter suspects itself of being cut off.
func (l *liveness) suspects() bool { return l.suspectedAt != 0 }

// decide declares silent hosts lost. It is called once a second.
func (l *liveness) decide(b *batch) {
	l.updateSuspicion()
	if l.suspects() && l.now-l.suspectedAt < int64(l.cfg.Doubt) {
		return
	}
	for _, h := range l.hosts.byName {
		missing, forgotten := l.missing(h), l.forgotten(h)
		if missing || forgotten {
			seconds := math.Round(float64(l.silence(h))/1e6) / 1e3
			b.add(&subjects.Lost{Host: h.life.Name, Term: h.life.Term, Silence: seconds, Forget: forgotten})
		}
	}
}

// updateSuspicion counts the silent hosts. If there are two at least, and a third of all,
// then rather the network or the slotter failed than so many machines. One host of three
// is not enough, or a small pool could never lose one.
func (l *liveness) updateSuspicion() {
	silent, present := 0, 0
	for _, h := range l.hosts.byName {
		if h.life.Gone {
			continue
		}
		present++
		if l.silent(h) {
			silent++
		}
	}
	if present < 3 || silent < 2 || 3*silent < present {
		l.due.slots = l.due.slots || l.suspects()
		l.suspectedAt = 0
		return
	}
	if l.suspectedAt == 0 {
		l.suspectedAt = l.now
	}
	l.suspicion = Suspicion{silent, present}
}

// missing reports whether the host should be declared lost. A host that left on purpose
// is lost only when a job waits for what it still runs or keeps.
func (l *liveness) missing(h *host) bool {
	if h.life.Lost || !l.silent(h) {
		return false
	}
	return !h.life.Gone || len(h.life.Attempts()) > 0 || l.keepsOutputs(h)
}

// keepsOutputs reports whether a live job still needs outputs of a host that is away.
// Finding out takes a look at all tasks, so a host that keeps none is not looked at again
// for a while. Jobs without any attempt have no outputs, and are left out.
func (l *liveness) keepsOutputs(h *host) bool {
	if l.now < h.keepsNone {
		return false
	}
	needed := func(j *job) bool { return !j.waits && l.state.Keeps(j.life, h.life) }
	if slices.ContainsFunc(l.jobs.bySeq, needed) {
		return true
	}
	h.keepsNone = l.now + int64(l.cfg.Silence)
	return false
}

// forgotten reports whether a host has been away for longer than Config.Forget, and was not given
// up before. An older version did not note since when a host is away. For such a host the time
// counts from the beginning of this instance's lead.
func (l *liveness) forgotten(h *host) bool {
	if l.cfg.Forget < 0 || !h.life.Gone || h.life.Forgotten {
		return false
	}
	return l.now-cmp.Or(h.life.Away, l.led) > int64(l.cfg.Forget)
}

// newLiveness returns a liveness that suspects nothing.
func newLiveness(f *facts) *liveness { return &liveness{facts: f} }
