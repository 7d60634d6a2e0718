package sim

import (
	"errors"
	"fmt"

	"lull/actors"
)

// saver is the state of saving snapshots.
type saver struct {
	folded uint64 // entries since the last snapshot
	busy   bool
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

// savable reports whether there is anything to save.
func (r *replica) savable() bool { return r.snapshotEvery > 0 && r.saver.folded > 0 }

// snapshotIfDue saves after a number of entries folded. Snapshots after a time, which a shell
// also makes (actors.Config.SnapshotAfter), change no decision and are left out.
func (r *replica) snapshotIfDue() {
	if r.saver.busy || !r.savable() || r.saver.folded < r.snapshotEvery {
		return
	}
	snap, err := r.take()
	if err != nil {
		r.fail(err)
		return
	}
	r.saver.busy = true
	trims := r.trimmer && r.keep > 0 && r.term() != 0
	r.carry(OpSave, func() {
		r.w.bus.save(r.snapshot(), snap)
		if trims {
			r.trim()
		}
	}, func(error, bool) { r.saver.busy = false })
}

func (r *replica) take() (actors.Snapshot, error) {
	state, err := r.actor.Snapshot()
	if err != nil {
		return actors.Snapshot{}, fmt.Errorf("take a snapshot: %w", err)
	}
	r.saver.folded = 0
	return actors.Snapshot{
		Created: r.w.bus.log.created, Seq: r.seq, Version: r.version, Led: r.tenure.led, State: state,
	}, nil
}

// trim drops what no service needs any more.
func (r *replica) trim() {
	info := r.w.bus.log.info()
	if info.Last+1-info.First <= r.keep {
		return
	}
	below := info.Last + 1 - r.keep
	for _, owner := range append([]string{r.snapshot()}, r.awaits...) {
		snap, saved := r.w.bus.snapshots[owner]
		if !saved {
			return
		}
		below = min(below, snap.Seq+1)
	}
	r.w.bus.log.trim(below)
}
