package slotter

import (
	"slices"

	"lull/slotter/eviction"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// owner is the job of an attempt that may have to end, and what the attempt adds to its
// rate.
type owner struct {
	job  *job
	rate rate
}

type victim = eviction.Victim[owner]

// victims are the attempts that may end for claims, host by host.
type victims struct {
	*facts
	hosts []*host // that take tasks
	rooms []eviction.Host[owner]
}

// newVictims looks at all hosts that take tasks.
func newVictims(f *facts) *victims {
	v := &victims{facts: f}
	for _, j := range f.jobs.bySeq {
		j.yields = 0
	}
	f.queues.ClearYields()
	for _, h := range f.hosts.byName {
		if f.eligible(h) && min(h.busy, h.slots) <= h.usable { // else it evicts for its own reserve
			v.hosts, v.rooms = append(v.hosts, h), append(v.rooms, v.on(h))
		}
	}
	return v
}

// on lists a host's victims. An attempt that was revoked already counts as gone.
func (v *victims) on(h *host) eviction.Host[owner] {
	room := eviction.Host[owner]{Taken: takenForNow(h), Memory: h.memory}
	was := h.attempts
	for _, at := range h.life.Attempts() {
		var s *attempt
		s, was = findAttempt(was, at)
		switch {
		case at.State == ledger.Revoked:
			room.Free(at)
		case s != nil:
			room.Victims = append(room.Victims, victim{Attempt: at, Lost: lost(s, v.now, savedAt(h, at)), Owner: owner{s.job, s.rate}})
		case at.Rival && v.jobs.of[at.Job] != nil: // its task goes on elsewhere
			room.Victims = append(room.Victims, victim{Attempt: at, Owner: owner{job: v.jobs.of[at.Job]}})
		}
	}
	room.Sort()
	return room
}

// takenForNow returns the slots that no task can have: the taken ones, and as many of the others as
// the host's reserve keeps from batch work.
func takenForNow(h *host) []bool {
	taken, kept := slices.Clone(h.taken[:h.slots]), h.slots-h.usable
	for i := len(taken) - 1; i >= 0 && kept > 0; i-- {
		if !taken[i] {
			taken[i] = true
			kept--
		}
	}
	return taken
}

// lost is what the attempt has done since it last wrote to its checkpoint folder, or since its
// start, in milliseconds of an idle core. It is taken to have gone on evenly.
func lost(at *attempt, now, saved int64) int64 {
	done := min(at.progress(now), 1)
	if began := max(at.life.Started, at.life.Assigned); saved > began {
		done *= float64(max(now-saved, 0)) / float64(max(now-began, 1))
	}
	return int64(min(done, 1) * at.curve.Seconds(1) * float64(at.life.Width) * 1e3)
}

// savedAt is when an attempt last wrote to its checkpoint folder, 0 for never.
func savedAt(h *host, at *ledger.Attempt) int64 {
	for _, s := range h.saved {
		if s.Attempt == at.ID {
			return s.At
		}
	}
	return 0
}

// evict ends attempts where one more task of the claimant costs the least work. It reports
// whether there is room for the task then.
func (v *victims) evict(b *batch, c *claimant) bool {
	l := c.work.group.line
	need := eviction.Need{Slots: l.cpu, Memory: l.memory}
	mayEnd := func(one victim, beside []victim) bool { return v.mayEnd(one, c, beside) }
	var best []victim
	at, least := -1, int64(0)
	for i := range v.rooms {
		if h := v.hosts[i]; !h.couldFit(l) || tct.Residual(h.idle, h.slots) < tct.MinResidual {
			continue
		}
		room, ok := v.rooms[i].MakeRoom(need, mayEnd)
		if cost := eviction.Cost(room); ok && (at < 0 || cost < least) {
			at, least, best = i, cost, room
		}
	}
	if at < 0 || b.room() < len(best) {
		return false
	}
	for _, one := range best {
		v.end(b, at, c, one)
	}
	v.rooms[at].Take(need)
	return true
}

// mayEnd reports whether the attempt may end for the claimant, beside others that
// are about to.
func (v *victims) mayEnd(one victim, c *claimant, beside []victim) bool {
	j := one.Owner.job
	width, lost := one.Attempt.Width, j.yields+one.Owner.rate
	for _, o := range beside {
		if o.Owner.job.queue == j.queue && !o.Attempt.Rival {
			width += o.Attempt.Width
		}
		if o.Owner.job == j {
			lost += o.Owner.rate
		}
	}
	switch {
	case j == c.work.job:
		return false
	case one.Attempt.Rival:
		return true
	case j.queue == c.work.job.queue:
		return c.deadline && j.due > c.work.job.due && j.spares(v.now, lost)
	}
	lends := 0.0
	if c.deadline {
		lends = max(v.cfg.Borrow, 0)
	}
	return j.queue.MayYield(int(width), lends) && j.spares(v.now, lost)
}

// end revokes an attempt on a host for the claimant.
func (v *victims) end(b *batch, at int, c *claimant, one victim) {
	j := one.Owner.job
	b.add(&subjects.Revoked{
		Host: v.hosts[at].life.Name, Job: j.life.ID, Attempt: one.Attempt.ID, Why: c.why(v.now), For: c.work.job.life.ID,
	})
	v.rooms[at].End(one)
	if !one.Attempt.Rival {
		j.queue.Yields += int(one.Attempt.Width)
		j.yields += one.Owner.rate
	}
}
