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

// step heeds a complaint or its absence, and reports whether the rung changed.
func (l *ladder) step(now time.Time, complaint bool) bool {
	if l.calm == 0 {
		l.calm, l.moved, l.told = calmLeast, now.Add(-proof), now.Add(-calmMost)
	}
	if complaint {
		return l.complain(now)
	}
	quiet := now.Sub(later(l.moved, l.told))
	if l.rung == 0 {
		if quiet >= calmMost {
			l.calm = calmLeast
		}
		return false
	}
	if quiet < l.calm {
		return false
	}
	l.move(now, l.rung-1)
	l.rose = true
	return true
}

func (l *ladder) complain(now time.Time) bool {
	if now.Sub(l.told) > calmLeast {
		l.since = now
	}
	l.told = now
	if l.rung >= l.last || now.Sub(l.moved) < settle {
		return false
	}
	if l.rung == l.last-1 && now.Sub(later(l.since, l.moved)) < l.vain {
		return false
	}
	if l.rose && now.Sub(l.moved) < proof {
		l.calm = min(2*l.calm, calmMost)
	}
	l.move(now, l.rung+1)
	l.rose = false
	return true
}

func (l *ladder) move(now time.Time, rung int) { l.rung, l.moved = rung, now }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
