package sim

import "time"

// chorus is the hosts whose monitors look at the same moments: one step of the
// heap has them all tell what there is to tell.
type chorus struct {
	w      *World
	voices []*voice
	looks  []time.Duration // when each of them looks next
	timer  timer
}

// chorus returns that of a phase, making it if need be.
func (w *World) chorus(phase int) *chorus {
	if w.choruses[phase] == nil {
		c := &chorus{w: w}
		c.timer.do = c.sing
		w.choruses[phase] = c
	}
	return w.choruses[phase]
}

func (c *chorus) join(v *voice) {
	v.chorus, v.part = c, len(c.voices)
	c.voices, c.looks = append(c.voices, v), append(c.looks, endOfTime)
}

// look has a voice look at a time, unless it does so earlier anyway.
func (c *chorus) look(v *voice, at time.Duration) {
	if at < c.looks[v.part] {
		c.looks[v.part] = at
		c.w.hasten(&c.timer, at)
	}
}

// sing lets those look whose time has come.
func (c *chorus) sing() {
	next := endOfTime
	for i, at := range c.looks {
		if at <= c.w.now {
			at = c.voices[i].sample()
			c.looks[i] = at
		}
		next = min(next, at)
	}
	if next != endOfTime {
		c.w.arm(&c.timer, next)
	}
}
