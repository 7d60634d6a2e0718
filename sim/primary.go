package sim

import "time"

// idleWindow is the time over which a monitor averages idle cores: see package
// monitor.
const idleWindow = 10 * time.Second

// primary is what a host's tenant uses, with as much of the past as telemetry
// averages over.
type primary struct {
	load  Load
	cores float64 // used now
	until time.Duration
	past  []mark // changes, oldest first, back to before the window
}

// mark is a change of the load, with the core-seconds used until then.
type mark struct {
	at          time.Duration
	cores, area float64
}

func newPrimary(load Load, now time.Duration) *primary {
	p := &primary{load: load}
	p.cores, p.until = load.At(0)
	p.past = append(p.past, mark{now, p.cores, 0})
	return p
}

// change follows the load to now, and reports whether it has changed.
func (p *primary) change(now time.Duration) bool {
	before := p.cores
	p.cores, p.until = p.load.At(now)
	if p.cores == before {
		return false
	}
	old := 0
	for old+1 < len(p.past) && p.past[old+1].at <= now-idleWindow {
		old++
	}
	area := p.area(now)
	p.past = append(append(p.past[:0], p.past[old:]...), mark{now, p.cores, area})
	return true
}

// area returns the core-seconds used until a time within the window.
func (p *primary) area(at time.Duration) float64 {
	i := len(p.past) - 1
	for i > 0 && p.past[i].at > at {
		i--
	}
	m := p.past[i]
	return m.area + m.cores*(at-m.at).Seconds()
}

// mean returns the cores used on average over a time before now.
func (p *primary) mean(now, over time.Duration) float64 {
	if len(p.past) == 1 || p.past[len(p.past)-1].at <= now-over {
		return p.cores
	}
	return max((p.area(now)-p.area(now-over))/over.Seconds(), 0)
}

// steady reports whether the mean over the window no longer changes.
func (p *primary) steady(now time.Duration) bool {
	return len(p.past) == 1 || p.past[len(p.past)-1].at <= now-idleWindow
}
