package hostctl

import (
	"cmp"
	"slices"
	"time"

	"lull/hostctl/environ"
	"lull/hostctl/pacing"
	"lull/hostctl/shim"
	"lull/subjects"
)

// sendSpeeds publishes how fast the tasks that run read, and their reference rates. It is
// for people, so it is not repeated and not kept.
func (a *Agent) sendSpeeds(running []*run) {
	speeds := &subjects.Speeds{Host: a.cfg.Host}
	for _, r := range running {
		if rate, ok := r.pulse(time.Now()); ok {
			speeds.Tasks = append(speeds.Tasks, a.speed(r, rate))
		}
	}
	if len(speeds.Tasks) == 0 {
		return
	}
	slices.SortFunc(speeds.Tasks, func(s, t subjects.Speed) int { return cmp.Compare(s.Attempt, t.Attempt) })
	if err := a.telemetry.Send(speeds); err != nil {
		a.cfg.Logger.Debug("how fast tasks read was not sent", "error", err)
	}
}

// speed is what is said of one attempt that reads so many bytes/s.
func (a *Agent) speed(r *run, rate float64) subjects.Speed {
	s := subjects.Speed{Attempt: r.Attempt, Rate: rate}
	if cap := a.slotCaps.InForce(r.slot.N); cap < float64(a.cores()) {
		s.Cap = cap
	}
	s.Reference, s.Short = a.pacer.Told(r.Attempt)
	return s
}

// pulse is what the attempt has read a second since the last call, in the unit that
// it is paced in; false if that is not known.
func (r *run) pulse(now time.Time) (rate float64, ok bool) {
	next := r.come(now)
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.mu.pulse
	r.mu.pulse = next
	elapsed := next.At.Sub(last.At).Seconds()
	if next.From == pacing.Unknown || next.From != last.From || elapsed <= 0 || next.Total < last.Total {
		return 0, false
	}
	return (next.Total - last.Total) / elapsed, true
}

// come is how far the attempt is, from the best source there is. What its processes
// read was just measured.
func (r *run) come(now time.Time) pacing.Reading {
	if n, ok := pacing.Reported(environ.ProgressFile(r.folder)); ok {
		return pacing.Reading{At: now, Total: n, From: pacing.ByTask}
	}
	if n, ok := shim.Taken(r.slot.Dir(), r.Attempt); ok {
		return pacing.Reading{At: now, Total: float64(n), From: pacing.ByFeed}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mu.read
}
