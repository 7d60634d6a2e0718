package slotter

import (
	"cmp"
	"slices"

	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// yard is where room is made: what each host would have free if so many of its
// attempts ended.
type yard struct {
	r      *round
	places []place
}

// place is a host's slots and memory as they will be when all that was said has
// come true, and which attempts might still make way there.
type place struct {
	host    *host
	taken   []bool
	memory  int64
	victims []victim // by what is lost
}

// newYard looks at all hosts that take tasks.
func (r *round) newYard() *yard {
	y := &yard{r: r}
	for _, j := range r.a.jobs.bySeq {
		j.yields = 0
	}
	r.a.queues.ClearYields()
	for _, h := range r.a.hosts.byName {
		if r.a.eligible(h) {
			y.places = append(y.places, r.placeOf(h))
		}
	}
	return y
}

// placeOf counts an attempt that was revoked already as gone.
func (r *round) placeOf(h *host) place {
	p := place{host: h, taken: slices.Clone(h.taken[:h.slots]), memory: h.memory}
	was := h.attempts
	for _, at := range h.life.Attempts() {
		var s *attempt
		s, was = findAttempt(was, at)
		switch {
		case at.State == ledger.Revoked:
			p.free(at)
		case s != nil:
			p.victims = append(p.victims, victim{at, s.job, s.rate, s.work(r.now)})
		case at.Rival && r.a.jobs.of[at.Job] != nil: // its task goes on elsewhere
			p.victims = append(p.victims, victim{life: at, job: r.a.jobs.of[at.Job]})
		}
	}
	slices.SortFunc(p.victims, func(v, w victim) int {
		return cmp.Or(cmp.Compare(v.lost, w.lost), cmp.Compare(w.life.ID, v.life.ID))
	})
	return p
}

// free gives the attempt's room back. Places ahead hold nothing that runs.
func (p *place) free(at *ledger.Attempt) {
	for i := at.Slot; i < at.Slot+at.Width && int(i) < len(p.taken); i++ {
		p.taken[i] = false
	}
	p.memory += at.Memory
}

// take fills the room that was made for a task.
func (p *place) take(l *line) {
	at := p.gap(l)
	for i := at; i < at+int(l.cpu); i++ {
		p.taken[i] = true
	}
	p.memory -= l.memory
}

// gap is where the line's task fits, -1 for nowhere.
func (p *place) gap(l *line) int {
	run := 0
	for i, taken := range p.taken {
		if run++; taken {
			run = 0
		}
		if run == int(l.cpu) && l.memory <= p.memory {
			return i + 1 - run
		}
	}
	return -1
}

// clear ends attempts where one more task of the claimant costs the least work. It
// reports whether there is room for it then.
func (y *yard) clear(b *batch, c *claimant) bool {
	var best []victim
	at, least := -1, int64(0)
	for i := range y.places {
		room, ok := y.makeRoom(&y.places[i], c)
		if cost := sum(room); ok && (at < 0 || cost < least) {
			at, least, best = i, cost, room
		}
	}
	if at < 0 || b.room() < len(best) {
		return false
	}
	p := &y.places[at]
	for _, v := range best {
		y.end(b, p, c, v)
	}
	p.take(c.work.group.line)
	return true
}

// makeRoom lists the attempts that have to end on a host for one task of the claimant,
// none if it has room; false if it cannot run one.
func (y *yard) makeRoom(p *place, c *claimant) (room []victim, ok bool) {
	l := c.work.group.line
	if !p.host.couldFit(l) || tct.Residual(p.host.idle, p.host.slots) < tct.MinResidual {
		return nil, false
	}
	try := place{taken: slices.Clone(p.taken), memory: p.memory}
	for _, v := range p.victims {
		if try.gap(l) >= 0 {
			break
		}
		if y.mayEnd(v, c, room) {
			try.free(v.life)
			room = append(room, v)
		}
	}
	return y.spareSome(p, l, room), try.gap(l) >= 0
}

// spareSome leaves out attempts whose room turned out not to be needed, the most
// expensive first.
func (y *yard) spareSome(p *place, l *line, room []victim) []victim {
	for i := len(room) - 2; i >= 0; i-- {
		try := place{taken: slices.Clone(p.taken), memory: p.memory}
		for k, v := range room {
			if k != i {
				try.free(v.life)
			}
		}
		if try.gap(l) >= 0 {
			room = slices.Delete(room, i, i+1)
		}
	}
	return room
}
