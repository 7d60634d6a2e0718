package sim

import (
	"math"
	"reflect"
	"time"

	"lull/subjects"
)

// calm is for how long a host still counts cores as the primary's after the primary stopped using them:
// see package room.
const calm = 10 * time.Second

// begun is when hosts and services are certain to know each other.
const begun = 2 * calm

// shared is the hosts of a coarse scenario with the same Load and the same moment of the second at which
// their monitors sample. One timer follows the load for all of them. They publish telemetry when the
// primary takes up another number of whole cores, and do nothing else while tasks get what they got
// before.
type shared struct {
	w       *World
	cores   uint32
	primary *primary
	members []*host
	whole   float64       // cores that the primary takes up
	shown   float64       // the whole cores of the last sample
	before  float64       // cores that the primary used before the last change
	changed time.Duration // when that was
	calms   int           // samples that hosts need until they count fewer cores as the primary's
	phase   time.Duration // from a change to the next sample
	idle    float64       // core-seconds that it left on each host until at
	at      time.Duration // since the scenario's begin
	shift   timer
	publish timer
}

// shareLoad gives a host the load that it shares with the hosts that have the same one and sample at the same moments.
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
	s.whole, s.changed = wholeCores(s.primary.cores), w.now-sampleEvery
	s.shift.do, s.publish.do = s.shifted, s.published
	w.arm(&s.shift, max(s.primary.until, 0))
	w.arm(&s.publish, w.now+sampleEvery)
	w.shared = append(w.shared, s)
	return s
}

// wholeCores rounds up, except for an error of arithmetic.
func wholeCores(cores float64) float64 { return math.Ceil(cores - 1e-6) }

// settle counts what the primary left since the last change.
func (s *shared) settle() {
	if d := s.w.now - s.at; d > 0 {
		s.idle += max(float64(s.cores)-s.primary.cores, 0) * d.Seconds()
		s.at = s.w.now
	}
}

// shifted follows the load to its next change.
func (s *shared) shifted() {
	s.settle()
	before := s.primary.cores
	s.primary.cores, s.primary.until = s.primary.load.At(s.w.now)
	for _, h := range s.members {
		if len(h.runs) > 0 && (math.Abs(h.residual()-h.allotted) > 0 || h.divided > 0 && math.Abs(h.idleCores()-h.divided) > 0) {
			h.settle()
			h.change()
		}
	}
	if whole := wholeCores(s.primary.cores); math.Abs(whole-s.whole) > 0 {
		s.before, s.changed, s.whole, s.calms = before, s.w.now, whole, 0
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

// uses is the cores that the primary used on average over the last second, as monitors measure.
func (s *shared) uses() float64 {
	since := s.w.now - s.changed
	if since >= sampleEvery {
		return s.primary.cores
	}
	return s.before + (s.primary.cores-s.before)*since.Seconds()
}

// published makes all members publish a sample, unless it would be the same as the last one, and arms the
// timer of the next.
func (s *shared) published() {
	whole, changing := wholeCores(s.uses()), s.w.now-s.changed < sampleEvery
	if !changing || math.Abs(whole-s.shown) > 0 {
		if whole < s.shown {
			s.calms++
		}
		s.shown = whole
		for _, h := range s.members {
			h.monitor.publish(h.monitor.idle(0))
		}
	}
	again := s.w.Telemetry
	switch {
	case s.w.now < begun || changing && math.Abs(whole-s.whole) > 0: // at begin the services may not know the hosts
		again = sampleEvery
	case s.calms > 0:
		s.calms--
		again = calm
	}
	s.w.arm(&s.publish, s.w.now+again)
}

// sampleBroken makes a host publish a sample soon after its reserve was broken, as a host does that samples each
// second. Until then the slotter gives it no task.
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
