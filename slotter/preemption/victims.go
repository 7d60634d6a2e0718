package preemption

import (
	"slices"

	"lull/slotter/batch"
	"lull/slotter/eviction"
	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// owner is the job of an attempt that may have to end, and what the attempt adds to its
// rate.
type owner struct {
	job  *facts.Job
	rate facts.Rate
}

type victim = eviction.Victim[owner]

// victims are the attempts that may end for claims, host by host.
type victims struct {
	*facts.Facts
	hosts []*facts.Host // that take tasks
	rooms []eviction.Host[owner]
}

// newVictims lists the victims on all hosts that take tasks.
func newVictims(f *facts.Facts) *victims {
	v := &victims{Facts: f}
	for _, j := range f.Jobs.BySeq {
		j.Yields = 0
	}
	f.Queues.ClearYields()
	for _, h := range f.Hosts.ByName {
		if f.Eligible(h) && min(h.Busy, h.Slots) <= h.Usable { // else it evicts for its own reserve
			v.hosts, v.rooms = append(v.hosts, h), append(v.rooms, v.listOn(h))
		}
	}
	return v
}

// listOn lists a host's victims. An attempt that was revoked already counts as gone.
func (v *victims) listOn(h *facts.Host) eviction.Host[owner] {
	room := eviction.Host[owner]{Taken: takenForNow(h), Parts: slices.Clone(h.Parts.Of), Memory: h.Memory}
	was := h.Running
	for _, at := range h.Life.Attempts() {
		var s *facts.Attempt
		s, was = facts.FindAttempt(was, at)
		switch {
		case at.State == ledger.Revoked:
			room.Free(at)
		case s != nil:
			room.Victims = append(room.Victims, victim{Attempt: at, Lost: lost(s, v.Now, savedAt(h, at)), Owner: owner{s.Job, s.Rate}})
		case at.Rival && v.Jobs.Of[at.Job] != nil: // its task goes on elsewhere
			room.Victims = append(room.Victims, victim{Attempt: at, Owner: owner{job: v.Jobs.Of[at.Job]}})
		}
	}
	room.Sort()
	return room
}

// takenForNow returns the slots that no task can have: the taken ones, and as many of the others as
// the host's reserve keeps from batch work.
func takenForNow(h *facts.Host) []bool {
	taken, kept := slices.Clone(h.Taken[:h.Slots]), h.Slots-h.Usable
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
func lost(at *facts.Attempt, now, saved int64) int64 {
	done := min(at.Progress(now), 1)
	if began := max(at.Life.Started, at.Life.Assigned); saved > began {
		done *= float64(max(now-saved, 0)) / float64(max(now-began, 1))
	}
	return int64(min(done, 1) * at.Curve.Whole().Seconds(1) * max(at.Life.Cores(), spec.Core).Float() * 1e3)
}

// savedAt is when an attempt last wrote to its checkpoint folder, 0 for never.
func savedAt(h *facts.Host, at *ledger.Attempt) int64 {
	for _, s := range h.Saved {
		if s.Attempt == at.ID {
			return s.At
		}
	}
	return 0
}

// evict ends attempts where one more task of the claimant costs the least work. It reports
// whether there is room for the task then.
func (v *victims) evict(b *batch.Batch, c *claimant) bool {
	l := c.work.Group.Line
	need := eviction.Need{Slots: l.Cpu, Part: l.Part, Memory: l.Memory}
	mayEnd := func(one victim, beside []victim) bool { return v.mayEnd(one, c, beside) }
	var best []victim
	at, least := -1, int64(0)
	for i := range v.rooms {
		if h := v.hosts[i]; !h.CouldFit(l) || tct.Residual(h.Idle, h.Slots) < tct.MinResidual {
			continue
		}
		room, ok := v.rooms[i].MakeRoom(need, mayEnd)
		if cost := eviction.Cost(room); ok && (at < 0 || cost < least) {
			at, least, best = i, cost, room
		}
	}
	if at < 0 || b.Room() < len(best) {
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
	width, lost := one.Attempt.Width, j.Yields+one.Owner.rate
	for _, o := range beside {
		if o.Owner.job.Queue == j.Queue && !o.Attempt.Rival {
			width += o.Attempt.Width
		}
		if o.Owner.job == j {
			lost += o.Owner.rate
		}
	}
	switch {
	case j == c.work.Job:
		return false
	case one.Attempt.Rival:
		return true
	case j.Queue == c.work.Job.Queue:
		return c.deadline && j.Due > c.work.Job.Due && j.OnTrackWithout(v.Now, lost)
	}
	lends := 0.0
	if c.deadline {
		lends = max(v.Config.Borrow, 0)
	}
	return j.Queue.MayYield(int(width), lends) && j.OnTrackWithout(v.Now, lost)
}

// end revokes an attempt on a host for the claimant.
func (v *victims) end(b *batch.Batch, at int, c *claimant, one victim) {
	j := one.Owner.job
	b.Add(&subjects.Revoked{
		Host: v.hosts[at].Life.Name, Job: j.Life.ID, Attempt: one.Attempt.ID, Why: c.why(v.Now), For: c.work.Job.Life.ID,
	})
	v.rooms[at].End(one)
	if !one.Attempt.Rival {
		j.Queue.YieldingSlots += int(one.Attempt.Width)
		j.Yields += one.Owner.rate
	}
}
