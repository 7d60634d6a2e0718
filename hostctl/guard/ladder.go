package guard

import "time"

// ladder is one means of the guard and how far it is taken: on rung 0 not at
// all. It goes down at a complaint and up, rung by rung, after a time without
// any. That time doubles when going up was wrong, so a load that comes whenever
// batch work is given more is met less and less often; when all is well for
// long, it is short again.
//
//	        complaint, settled             complaint, sustained
//	rung 0 ───────────────────▶ 1 … last−1 ────────────────────▶ last
//	       ◀─────────────────── calm for a second … a minute ◀──
type ladder struct {
	last int // rung
	// vain is how long the rung before the last one must have been in vain.
	vain time.Duration

	rung  int
	calm  time.Duration // without complaint before the next rung up
	moved time.Time     // last change of rung
	told  time.Time     // last complaint
	since time.Time     // first complaint of those that did not cease for calmLeast
	rose  bool          // the last change was up
}

// step heeds a complaint or its absence.
func (l *ladder) step(now time.Time, complaint bool) {
	if l.calm == 0 {
		l.calm, l.moved, l.told = calmLeast, now.Add(-proof), now.Add(-calmMost)
	}
	quiet := now.Sub(later(l.moved, l.told))
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

// hear notes a complaint, and whether it is the first of several.
func (l *ladder) hear(now time.Time) {
	if now.Sub(l.told) > calmLeast {
		l.since = now
	}
	l.told = now
}

// complain goes one rung down, if the present one has had time to tell.
func (l *ladder) complain(now time.Time) {
	l.hear(now)
	if l.rung >= l.last || now.Sub(l.moved) < settle {
		return
	}
	if l.rung == l.last-1 && now.Sub(later(l.since, l.moved)) < l.vain {
		return
	}
	if l.rose && now.Sub(l.moved) < proof {
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
