package sim

import (
	"errors"
	"fmt"

	"lull/actors"
)

// saver is the state of saving snapshots.
type saver struct {
	last uint64 // sequence of the newest snapshot made
	busy bool
}

// restore loads the last snapshot, or leaves the actor as it is.
func (r *replica) restore() error {
	info := r.w.bus.log.info()
	snap, err := r.w.bus.load(r.snapshot())
	if err == nil && r.fits(snap, info) {
		err = r.become(snap)
	}
	if err != nil && !errors.Is(err, actors.ErrNoSnapshot) {
		return err
	}
	if r.seq+1 < info.First {
		if !r.anywhere {
			return fmt.Errorf("the log is truncated below %d and no snapshot reaches it", info.First)
		}
		r.seq = info.First - 1
	}
	if r.host == "" {
		r.behind = info.Last - r.seq
	}
	r.saver.last = r.seq
	return nil
}

// fits reports whether a snapshot is of this log and this fold.
func (r *replica) fits(s actors.Snapshot, info actors.LogInfo) bool {
	return s.Created.Equal(info.Created) && s.Seq <= info.Last &&
		(s.Seq+1 >= info.First || r.anywhere) && s.Version == r.version
}

// become restores the actor; if the bytes are damaged it is put back as it was.
func (r *replica) become(s actors.Snapshot) error {
	initial, err := r.actor.Snapshot()
	if err != nil {
		return fmt.Errorf("snapshot of the initial state: %w", err)
	}
	if r.actor.Restore(s.State) != nil {
		return r.actor.Restore(initial)
	}
	r.seq, r.tenure.led = s.Seq, s.Led
	return nil
}

func (r *replica) snapshotIfDue() {
	if r.snapshotEvery == 0 || r.saver.busy || r.seq-r.saver.last < r.snapshotEvery {
		return
	}
	snap, err := r.take()
	if err != nil {
		r.fail(err)
		return
	}
	r.saver.busy = true
	floor := r.floor()
	r.carry(OpSave, func() {
		r.w.bus.save(r.snapshot(), snap)
		r.trim(floor)
	}, func(error, bool) { r.saver.busy = false })
}

func (r *replica) take() (actors.Snapshot, error) {
	state, err := r.actor.Snapshot()
	if err != nil {
		return actors.Snapshot{}, fmt.Errorf("take a snapshot: %w", err)
	}
	r.saver.last = r.seq
	return actors.Snapshot{
		Created: r.w.bus.log.created, Seq: r.seq, Version: r.version, Led: r.tenure.led, State: state,
	}, nil
}

// floor is the lowest sequence that this leader needs kept, 0 if it does not
// trim.
func (r *replica) floor() uint64 {
	if !r.trimmer || r.keep == 0 || r.term() == 0 {
		return 0
	}
	floor := r.term()
	if floored, ok := r.actor.(actors.Floored); ok {
		floor = min(floor, floored.Floor())
	}
	return floor
}

// trim drops what no snapshot, no term and no actor needs any more.
func (r *replica) trim(floor uint64) {
	info := r.w.bus.log.info()
	if floor == 0 || info.Last+1-info.First <= r.keep {
		return
	}
	for _, name := range r.awaits {
		if _, saved := r.w.bus.snapshots[name]; !saved {
			return
		}
	}
	r.w.bus.log.trim(r.w.bus.lowest(min(floor, info.Last+1-r.keep)))
}
