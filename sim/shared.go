package sim

import (
	"math"
	"reflect"
	"time"

	"lull/subjects"
	"lull/subjects/room"
)

// startPhase is how long after the scenario's start hosts and services may not know each other yet.
const startPhase = 2 * room.ReleaseDelay

// shared is a group of hosts in a coarse scenario. They have the same number of cores and the same Load,
// and their monitors sample at the same moment of each second. So one timer can follow the load for
// all of them. The hosts publish telemetry when the primary occupies a different number of whole cores.
// A change of the load costs nothing else for hosts where the tasks' share of the CPU stays the same.
type shared struct {
	w             *World
	cores         uint32
	primary       *primary
	members       []*host
	whole         int           // whole cores that the primary occupies now
	lastPublished int           // whole cores in the last sample
	before        float64       // cores that the primary used before whole changed last
	changed       time.Duration // when whole changed last
	releases      int           // samples to come, each after room.ReleaseDelay, until hosts count fewer cores as the primary's
	phase         time.Duration // time from a change of whole to the next sample
	idle          float64       // core-seconds that the primary left on each host until at
	at            time.Duration // time since the scenario's start
	shift         timer         // the load's next change
	publish       timer         // the next sample
}

// shareLoad adds a host to the group of hosts that it shares its load with, and returns the group. It makes
// a group if there is none. A Load that cannot be compared is not shared.
func shareLoad(w *World, h *host) *shared {
	phase := time.Duration(1+stream(w.Seed, "phase "+h.Name).IntN(phases)) * sampleEvery / phases
	if reflect.TypeOf(h.Load).Comparable() {
		for _, s := range w.shared {
			if s.cores == h.Cores && s.phase == phase && reflect.TypeOf(s.primary.load).Comparable() && s.primary.load == h.Load {
				s.members = append(s.members, h)
				return s
			}
		}
	}
	s := &shared{w: w, cores: h.Cores, phase: phase, primary: newPrimary(h.Load, w.now), members: []*host{h}}
	s.whole, s.changed = room.WholeCores(s.primary.cores), w.now-sampleEvery
	s.shift.do, s.publish.do = s.followLoad, s.publishSamples
	w.arm(&s.shift, max(s.primary.until, 0))
	w.arm(&s.publish, w.now+sampleEvery)
	w.shared = append(w.shared, s)
	return s
}

// settle brings idle up to now. Callers call it before the load changes.
func (s *shared) settle() {
	if d := s.w.now - s.at; d > 0 {
		s.idle += max(float64(s.cores)-s.primary.cores, 0) * d.Seconds()
		s.at = s.w.now
	}
}

// followLoad applies a change of the load to the hosts of the group, and arms the timer of the next one.
func (s *shared) followLoad() {
	s.settle()
	before := s.primary.cores
	s.primary.cores, s.primary.until = s.primary.load.At(s.w.now)
	for _, h := range s.members {
		if len(h.runs) > 0 && (math.Abs(h.residual()-h.allotted) > 0 || h.divided > 0 && math.Abs(h.idleCores()-h.divided) > 0) {
			h.settle()
			h.updateSpeeds()
		}
	}
	if whole := room.WholeCores(s.primary.cores); whole != s.whole {
		s.before, s.changed, s.whole, s.releases = before, s.w.now, whole, 0
		s.w.armEarlier(&s.publish, s.w.now+s.phase)
	}
	if s.primary.until <= s.w.now {
		s.w.failure = endlessLoad(s.members[0], s.primary.until)
		return
	}
	if s.primary.until != endOfTime {
		s.w.arm(&s.shift, s.primary.until)
	}
}

// uses returns the cores that the primary used on average over the last second, which is what monitors
// measure.
func (s *shared) uses() float64 {
	since := s.w.now - s.changed
	if since >= sampleEvery {
		return s.primary.cores
	}
	return s.before + (s.primary.cores-s.before)*since.Seconds()
}

// publishSamples makes all members publish a sample, and arms the timer of the next. Within a second of a
// change, they publish only if the number of whole cores differs from that of the last sample.
func (s *shared) publishSamples() {
	whole, changing := room.WholeCores(s.uses()), s.w.now-s.changed < sampleEvery
	if !changing || whole != s.lastPublished {
		if whole < s.lastPublished {
			s.releases++
		}
		s.lastPublished = whole
		for _, h := range s.members {
			h.monitor.publish(h.monitor.idle(0))
		}
	}
	again := s.w.Telemetry
	switch {
	case s.w.now < startPhase || changing && whole != s.whole: // at the start the services may not know the hosts
		again = sampleEvery
	case s.releases > 0:
		s.releases--
		again = room.ReleaseDelay
	}
	s.w.arm(&s.publish, s.w.now+again)
}

// sampleBroken makes a host publish a sample a second after tasks were evicted or declined because its
// reserve was broken. A real host samples each second. Until the sample, the slotter gives the host no task.
func sampleBroken(w *World, e subjects.Event) {
	host, reason := "", ""
	switch e := e.(type) {
	case *subjects.Evicted:
		host, reason = e.Host, e.Reason
	case *subjects.Declined:
		host, reason = e.Host, e.Reason
	}
	if h := w.byHost[host]; h != nil && reason == subjects.ReasonReserve {
		w.after(sampleEvery, func() { h.monitor.publish(h.monitor.idle(0)) })
	}
}
