package sim

import (
	"fmt"
	"time"

	"lull/hostctl/actor"
	"lull/subjects"
	"lull/subjects/spec"
)

// settle counts the work done since the last change.
func (h *host) settle() {
	d := h.w.now - h.at
	if d == 0 {
		return
	}
	h.at = h.w.now
	h.guard.addWaits(d)
	for _, r := range h.runs {
		if r.running {
			r.advance(d)
			h.batch += r.usedCores * d.Seconds()
		}
	}
	if h.w.now > 0 && h.shared == nil {
		h.idle += max(float64(h.Cores)-h.primary.cores, 0) * min(d, h.w.now).Seconds()
	}
}

// harvested returns the core-seconds that runs have used until now.
func (h *host) harvested() float64 {
	return h.batch + h.usedCores()*(h.w.now-h.at).Seconds()
}

// usedCores is the cores that runs use now.
func (h *host) usedCores() (cores float64) {
	for _, r := range h.runs {
		if r.running {
			cores += r.usedCores
		}
	}
	return cores
}

// running returns the number of runs that have a process.
func (h *host) running() (n int) {
	for _, r := range h.runs {
		if r.running {
			n++
		}
	}
	return n
}

// busy returns the number of slots that runs with a process occupy.
func (h *host) busy() (slots int) {
	cores := spec.Cores(0)
	for _, r := range h.runs {
		if r.running {
			cores += r.Cores()
		}
	}
	return int(cores.Slots())
}

// idleCores returns how many cores the primary leaves and the guard allows.
func (h *host) idleCores() float64 {
	if busy := float64(h.busy()); h.Alike && busy > 0 {
		return busy * min(1, float64(h.Cores)/(busy+h.primary.cores))
	}
	return h.guard.availableCores(max(float64(h.Cores)-h.primary.cores, 0), h.busy())
}

// residual returns the share of a core that each busy slot really gets. The primary gets its cores first,
// and batch work shares the rest (eq. 5 of MIMP uses the same R).
func (h *host) residual() float64 {
	busy := h.busy()
	if h.frozen || busy == 0 {
		return 0
	}
	return min(1, h.idleCores()/float64(busy))
}

// updateSpeeds computes the speeds of all runs anew. Call it after settle, when something that they depend on
// has changed. If that changes how saturated a data node is, its readers on other hosts change speed too.
func (h *host) updateSpeeds() {
	h.allot()
	for _, r := range h.runs {
		if r.running {
			r.setDemand(r.residual)
		}
	}
	if len(h.w.dataNodes) > 0 {
		h.w.saturate(h)
	}
	h.setSpeeds()
}

// saturate goes through all data nodes, and slows down or speeds up the readers on all hosts but
// one, which is updated next anyway.
func (w *World) saturate(except *host) {
	affected := map[*host]bool{}
	for _, s := range w.DataNodes {
		if s := w.dataNodes[s.Name]; s.saturate() {
			for h := range s.hosts {
				affected[h] = true
			}
		}
	}
	for _, h := range w.hosts {
		if affected[h] && h != except {
			h.settle()
			h.setSpeeds()
		}
	}
}

// setSpeeds sets the runs' speeds, as allotted, and waits for the first of them to end.
func (h *host) setSpeeds() {
	next, busy := endOfTime, h.busy()
	for _, r := range h.runs {
		if r.running {
			r.setSpeed(h.w.now, r.residual, busy)
			next = min(next, r.ends, r.expires)
		}
	}
	if next == endOfTime {
		h.w.disarm(&h.ending)
		return
	}
	h.w.arm(&h.ending, next)
}

// endDue ends the runs that are done, or have run for too long.
func (h *host) endDue() {
	h.settle()
	var ended []*run
	for _, r := range h.runs {
		if end := r.due(h.w.now); end != nil {
			h.endRun(r, *end)
			ended = append(ended, r)
		}
	}
	h.updateSpeeds()
	for _, r := range ended {
		h.agent.report(*r.ended)
	}
}

func (r *run) due(now time.Duration) *actor.Ended {
	switch {
	case !r.running:
		return nil
	case r.ends <= now:
		r.left = 0
		return &actor.Ended{Outcome: actor.Finished}
	case r.expires <= now:
		return &actor.Ended{
			Outcome: actor.Failed, Reason: subjects.ReasonTimeout,
			Text: fmt.Sprintf("it ran longer than its timeout of %v", r.stage.Timeout),
		}
	}
	return nil
}

// endlessLoad returns the error for a load that lasts until now and would never go on.
func endlessLoad(h *host, until time.Duration) error {
	return fmt.Errorf("the load of host %s at %v lasts until %v: it must last longer", h.Name, h.w.now, until)
}

// followPrimary follows the primary to its next load.
func (h *host) followPrimary() {
	h.settle()
	if h.primary.change(h.w.now) {
		h.updateSpeeds()
		h.monitor.sampleNext()
	}
	if h.primary.until <= h.w.now {
		h.w.failure = endlessLoad(h, h.primary.until)
		return
	}
	if h.primary.until != endOfTime {
		h.w.arm(&h.shift, h.primary.until)
	}
}
