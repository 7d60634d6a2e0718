package guard

import "time"

// ladder is one means of the guard and how far it is applied: on rung 0 not at all. It
// goes one rung down at a complaint, and one up after a time without complaints. That
// time doubles when a step up led to a complaint. So if the primary is delayed whenever batch
// work gets more, that happens less and less often. After a long time without complaints
// the time is short again.
//
//	        complaint, settled             complaint, sustained
//	rung 0 ───────────────────▶ 1 … last−1 ────────────────────▶ last
//	       ◀─────────────────── calm for a second … a minute ◀──
type ladder struct {
	last int // rung
	// failing is how long the rung before the last one must have failed.
	failing time.Duration

	rung   int
	calm   time.Duration // without complaint before the next rung up
	moved  time.Time     // last change of rung
	warned time.Time     // last complaint
	since  time.Time     // first of the present complaints, between which there was never more than calmLeast
	rose   bool          // the last change was up
}

// step applies a complaint or its absence.
func (l *ladder) step(now time.Time, complaint bool) {
	if l.calm == 0 {
		l.calm, l.moved, l.warned = calmLeast, now.Add(-provenAfter), now.Add(-calmMost)
	}
	quiet := now.Sub(later(l.moved, l.warned))
	switch {
	case complaint:
		l.complain(now)
	case l.rung > 0 && quiet >= l.calm:
		l.rise(now)
	case l.rung == 0 && quiet >= calmMost:
		l.calm = calmLeast
	}
}

// rise goes one rung up.
func (l *ladder) rise(now time.Time) { l.rung, l.moved, l.rose = l.rung-1, now, true }

// noteComplaint records the time of a complaint, and when the present ones began.
func (l *ladder) noteComplaint(now time.Time) {
	if now.Sub(l.warned) > calmLeast {
		l.since = now
	}
	l.warned = now
}

// complain goes one rung down, if the present one has had time to take effect.
func (l *ladder) complain(now time.Time) {
	l.noteComplaint(now)
	if l.rung >= l.last || now.Sub(l.moved) < settle {
		return
	}
	if l.rung == l.last-1 && now.Sub(later(l.since, l.moved)) < l.failing {
		return
	}
	if l.rose && now.Sub(l.moved) < provenAfter {
		l.calm = min(2*l.calm, calmMost)
	}
	l.rung, l.moved, l.rose = l.rung+1, now, false
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
