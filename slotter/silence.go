package slotter

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"lull/actors"
	"lull/subjects"
)

// watchEvery is how often silence is measured: as often as hosts beat.
const watchEvery = int64(time.Second)

// doubt is the slotter's suspicion that it is itself what is cut off.
type doubt struct {
	since int64 // 0: none
	now   Suspicion
	said  Suspicion
}

// Suspicion is an action: tell people that so many of the present hosts are
// silent at once that the slotter suspects itself. Until it is over, which
// zeros say, it assigns nothing and declares no host lost.
type Suspicion struct{ Silent, Present int }

// String says it in a sentence.
func (s Suspicion) String() string {
	if s.Silent == 0 {
		return "hosts are heard of again: assigning goes on"
	}
	return fmt.Sprintf("%d of %d hosts fell silent together: nothing is assigned, because this is rather the network or this process", s.Silent, s.Present)
}

// voice turns the beginning and the end of a doubt into actions.
func (a *Actor) voice() []actors.Action {
	now := Suspicion{}
	if a.doubt.since != 0 {
		now = a.doubt.now
	}
	if (now.Silent == 0) == (a.doubt.said.Silent == 0) {
		return nil
	}
	a.doubt.said = now
	return []actors.Action{now}
}

// silence is how long the host has been unheard of. It counts from the
// slotter's own lead at the earliest: before that, it received no beats.
func (a *Actor) silence(h *host) int64 {
	return a.now - max(h.beatAt, h.life.Since, a.led)
}

// watch declares silent hosts lost, once a second. It also has everything that
// is cheap looked at again, so that no decision hangs on a mark alone.
func (a *Actor) watch(b *batch) {
	if a.now < a.watchAt {
		return
	}
	a.watchAt = a.now + watchEvery
	a.due.unwanted, a.due.endings = true, true
	a.callOldest()
	a.suspect()
	if a.doubt.since != 0 && a.now-a.doubt.since < int64(a.cfg.Doubt) {
		return
	}
	for _, h := range a.hosts.byName {
		missing, forgotten := a.missing(h), a.forgotten(h)
		if missing || forgotten {
			seconds := math.Round(float64(a.silence(h))/1e6) / 1e3
			b.add(&subjects.Lost{Host: h.life.Name, Term: h.life.Term, Silence: seconds, Forget: forgotten})
		}
	}
}

// forgotten reports whether a host has been away for longer than Config.Forget. For a
// host that has been away since an older version, which did not note the time, it counts
// from the beginning of this instance's lead.
func (a *Actor) forgotten(h *host) bool {
	if a.cfg.Forget < 0 || !h.life.Gone || len(h.life.Attempts()) == 0 {
		return false
	}
	return a.now-cmp.Or(h.life.Away, a.led) > int64(a.cfg.Forget)
}

// missing reports whether the host should be declared lost. A host that
// left on purpose is lost only when a job waits for what it still runs or keeps.
func (a *Actor) missing(h *host) bool {
	if h.life.Lost || a.silence(h) <= int64(a.cfg.Silence) {
		return false
	}
	return !h.life.Gone || len(h.life.Attempts()) > 0 || a.keeps(h)
}

// keeps reports whether a live job still needs outputs that a host keeps which is away.
// That takes a look at all tasks, so a host that keeps none is looked at again after some
// time. A job of which nothing was tried has no outputs: a queue costs nothing.
func (a *Actor) keeps(h *host) bool {
	if a.now < h.keepsNone {
		return false
	}
	needed := func(j *job) bool { return j.kind == nil && a.state.Keeps(j.life, h.life) }
	if slices.ContainsFunc(a.jobs.bySeq, needed) {
		return true
	}
	h.keepsNone = a.now + int64(a.cfg.Silence)
	return false
}

// suspect counts the silent hosts. Two of them, and a third of all, at once:
// that is rather the network or the slotter than so many machines. One host of
// three is not enough, or a small pool could never lose one.
func (a *Actor) suspect() {
	silent, present := 0, 0
	for _, h := range a.hosts.byName {
		if h.life.Gone {
			continue
		}
		present++
		if a.silence(h) > int64(a.cfg.Silence) {
			silent++
		}
	}
	if present < 3 || silent < 2 || 3*silent < present {
		a.due.slots = a.due.slots || a.doubt.since != 0
		a.doubt.since = 0
		return
	}
	if a.doubt.since == 0 {
		a.doubt.since = a.now
	}
	a.doubt.now = Suspicion{silent, present}
}
