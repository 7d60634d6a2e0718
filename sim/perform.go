package sim

import (
	"errors"

	"lull/actors"
	"lull/actors/core"
	"lull/subjects"
)

// perform carries out the core's effects in the simulated world, as actors/shell does on a real bus. It
// ignores effects that only inform people. It stops if an effect crashes the replica.
func (r *replica) perform(effects []core.Effect) {
	r.w.inputs++
	life := r.life
	for _, effect := range effects {
		switch e := effect.(type) {
		case core.Do:
			r.act(e.Actions)
		case core.Claim:
			r.open(e)
		case core.Append:
			r.append(e)
		case core.Save:
			r.save(e)
		case core.OpenInbox:
			r.openInbox(e.From)
		case core.CloseInbox:
			r.inbox = inbox{}
		case core.Quarantine:
			r.w.bus.quarantine(e.ID, e.Reason.Error())
		}
		if r.life != life {
			return // the effect crashed the replica
		}
	}
	if err := r.core.Err(); err != nil {
		r.fail(err)
	}
}

// act carries out the actor's actions. It stops if one of them crashes the replica.
func (r *replica) act(actions []actors.Action) {
	life := r.life
	r.inside = true
	for _, action := range actions {
		if r.life == life {
			r.role.perform(action)
		}
	}
	if r.life == life {
		r.inside = false
	}
}

// open appends the event that opens the replica's term.
func (r *replica) open(c core.Claim) {
	batch, err := r.w.encode([]subjects.Event{c.Event})
	if err != nil {
		r.fail(err)
		return
	}
	var seq uint64
	r.performEffect(OpClaim, func() {
		var fence actors.Fence
		if fence, err = c.Fence(r.w.bus.log.info()); err == nil {
			seq, err = r.w.append(batch, fence)
		}
	}, func(refused error, lost bool) {
		r.perform(r.core.Claimed(r.moment(), seq, outcome(err, refused, lost)))
	})
}

// append appends a batch of events to the log.
func (r *replica) append(a core.Append) {
	var seq uint64
	var err error
	r.performEffect(OpAppend, func() {
		r.w.author = author{r.process, a.Fence.Seq}
		seq, err = r.w.append(a.Batch, a.Fence)
		r.w.author = author{}
	}, func(refused error, lost bool) {
		r.perform(r.core.Appended(r.moment(), seq, outcome(err, refused, lost)))
	})
}

// save stores a snapshot. If it says so, save also drops the entries of the log that no snapshot needs
// any more.
func (r *replica) save(s core.Save) {
	r.performEffect(OpSave, func() {
		r.w.bus.save(r.SnapshotName(), s.Snapshot)
		if !s.Trim {
			return
		}
		if below := core.TrimBelow(r.Role, r.w.bus.log.info(), r.w.bus.saved()); below > 0 {
			r.w.bus.log.trim(below)
		}
	}, func(refused error, lost bool) {
		r.perform(r.core.Saved(r.moment(), outcome(nil, refused, lost)))
	})
}

// outcome returns the error that the replica gets for an effect. lost means that it does not learn the
// result, and gets actors.ErrUnknown.
func outcome(err, refused error, lost bool) error {
	if lost {
		return actors.ErrUnknown
	}
	return errors.Join(err, refused)
}

// renew asks for the lease, and asks again after a third of the lease's time. The core hears only of
// requests that were answered.
func (r *replica) renew() {
	held := false
	r.performEffect(OpLease, func() {
		held = r.w.bus.lease(wall(r.w.now), r.Owner(), r.instance, r.Lease)
	}, func(refused error, lost bool) {
		if refused == nil && !lost {
			r.perform(r.core.Leased(r.moment(), held))
		}
	})
	if r.up {
		r.w.arm(&r.renewal, r.w.now+r.Lease/3)
	}
}
