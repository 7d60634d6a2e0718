// Package liveness says which hosts are lost.
package liveness

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lull/actors"
	"lull/slotter/batch"
	"lull/slotter/facts"
	"lull/subjects"
)

// Liveness detects the hosts that are lost. When many fall silent at once it suspects the
// network, or this process, instead of them.
type Liveness struct {
	*facts.Facts
	suspectedAt int64 // since when it suspects itself, 0 if it does not
	suspicion   Suspicion
	reported    Suspicion
}

// Suspicion is an action: report that so many of the present hosts are silent at once
// that the slotter suspects itself. Zeros say that this is over. Until then the slotter
// assigns nothing, and for Config.Doubt it declares no host lost.
type Suspicion struct{ Silent, Present int }

// String returns the suspicion in a sentence.
func (s Suspicion) String() string {
	if s.Silent == 0 {
		return "hosts send heartbeats again: assigning goes on"
	}
	return fmt.Sprintf("%d of %d hosts fell silent together: nothing is assigned, because the network or this process is the likelier cause", s.Silent, s.Present)
}

// Report turns the beginning and the end of a suspicion into an action each.
func (l *Liveness) Report() []actors.Action {
	now := Suspicion{}
	if l.Suspects() {
		now = l.suspicion
	}
	if (now.Silent == 0) == (l.reported.Silent == 0) {
		return nil
	}
	l.reported = now
	return []actors.Action{now}
}

// Suspects reports whether the slotter suspects itself of being cut off.
func (l *Liveness) Suspects() bool { return l.suspectedAt != 0 }

// Decide declares silent hosts lost. It is called once a second.
func (l *Liveness) Decide(b *batch.Batch) {
	l.updateSuspicion()
	if l.Suspects() && l.Now-l.suspectedAt < int64(l.Config.Doubt) {
		return
	}
	for _, h := range l.Hosts.ByName {
		missing, forgotten := l.missing(h), l.forgotten(h)
		if missing || forgotten {
			seconds := math.Round(float64(l.Silence(h))/1e6) / 1e3
			b.Add(&subjects.Lost{Host: h.Life.Name, Term: h.Life.Term, Silence: seconds, Forget: forgotten})
		}
	}
}

// updateSuspicion counts the silent hosts. If there are two at least, and a third of all,
// then rather the network or the slotter failed than so many machines. One host of three
// is not enough, or a small pool could never lose one.
func (l *Liveness) updateSuspicion() {
	silent, present := 0, 0
	for _, h := range l.Hosts.ByName {
		if h.Life.Gone {
			continue
		}
		present++
		if l.Silent(h) {
			silent++
		}
	}
	if present < 3 || silent < 2 || 3*silent < present {
		l.Due.Slots = l.Due.Slots || l.Suspects()
		l.suspectedAt = 0
		return
	}
	if l.suspectedAt == 0 {
		l.suspectedAt = l.Now
	}
	l.suspicion = Suspicion{silent, present}
}

// missing reports whether the host should be declared lost. A host that left on purpose
// is lost only when a job waits for what it still runs or keeps.
func (l *Liveness) missing(h *facts.Host) bool {
	if h.Life.Lost || !l.Silent(h) {
		return false
	}
	return !h.Life.Gone || len(h.Life.Attempts()) > 0 || l.keepsOutputs(h)
}

// keepsOutputs reports whether a live job still needs outputs of a host that is away.
// Finding out takes a look at all tasks, so a host that keeps none is not looked at again
// for a while. Jobs without any attempt have no outputs, and are left out.
func (l *Liveness) keepsOutputs(h *facts.Host) bool {
	if l.Now < h.NoOutputsUntil {
		return false
	}
	needed := func(j *facts.Job) bool { return !j.Waits() && l.Ledger.Keeps(j.Life, h.Life) }
	if slices.ContainsFunc(l.Jobs.BySeq, needed) {
		return true
	}
	h.NoOutputsUntil = l.Now + int64(l.Config.Silence)
	return false
}

// forgotten reports whether a host has been away for longer than Config.Forget, and was not given
// up before. An older version did not note since when a host is away. For such a host the time
// counts from the beginning of this instance's lead.
func (l *Liveness) forgotten(h *facts.Host) bool {
	if l.Config.Forget < 0 || !h.Life.Gone || h.Life.Forgotten {
		return false
	}
	return l.Now-cmp.Or(h.Life.Away, l.Led) > int64(l.Config.Forget)
}

// New returns the Liveness of hosts that are all present.
func New(f *facts.Facts) *Liveness { return &Liveness{Facts: f} }
