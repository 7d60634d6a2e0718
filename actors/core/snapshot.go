package core

import (
	"fmt"
	"math"
	"time"

	"lull/actors"
)

// saver is the state of saving snapshots.
type saver struct {
	folded uint64        // entries folded since the last snapshot
	at     time.Duration // when the last snapshot was taken
	busy   bool          // one is being saved
	// taken says that a newer version saved under the name; it is not replaced.
	taken bool
}

// savable reports whether there are new entries to save, and a name to save under.
func (c *Core) savable() bool {
	return c.cfg.SnapshotEvery > 0 && !c.snapshot.taken && c.snapshot.folded > 0
}

// untilSnapshot is the time until a snapshot is due regardless of the number of
// entries.
func (c *Core) untilSnapshot(at Moment) time.Duration {
	if c.cfg.SnapshotAfter == 0 {
		return math.MaxInt64
	}
	return c.cfg.SnapshotAfter - (at.Elapsed - c.snapshot.at)
}

func (c *Core) snapshotIfDue() {
	if c.snapshot.busy || !c.savable() || c.snapshot.folded < c.cfg.SnapshotEvery && c.untilSnapshot(c.at) > 0 {
		return
	}
	snap, err := c.takeSnapshot(c.at)
	if err != nil {
		c.failed = err
		return
	}
	c.snapshot.busy = true
	c.emit(Save{snap, c.cfg.Trimmer && c.cfg.Keep > 0 && c.term() != 0})
}

// takeSnapshot makes the snapshot's bytes.
func (c *Core) takeSnapshot(at Moment) (actors.Snapshot, error) {
	state, err := c.cfg.Actor.Snapshot()
	if err != nil {
		return actors.Snapshot{}, fmt.Errorf("take a snapshot: %w", err)
	}
	c.snapshot.folded, c.snapshot.at = 0, at.Elapsed
	return actors.Snapshot{Created: c.created, Seq: c.seq, Version: c.cfg.Version, Led: c.tenure.lastLed, State: state}, nil
}

// Saved is the outcome of a Save.
func (c *Core) Saved(at Moment, err error) []Effect {
	c.begin(at)
	c.snapshot.busy = false
	if err != nil {
		c.snapshot.folded++ // there is something to save, SnapshotAfter from now or when the instance ends
		c.note(Warning, "no snapshot this time", "error", err)
	}
	return c.out
}

// Last is the snapshot to save when the instance ends: what a restart would have to fold
// again. False if there is none; after a failure the state is not worth keeping. Call it
// once, when no more inputs come.
func (c *Core) Last(at Moment) (snap actors.Snapshot, due bool, err error) {
	if c.snapshot.busy {
		c.snapshot.folded++ // the end may have cut off its saving
	}
	if c.failed == nil && c.savable() {
		snap, err = c.takeSnapshot(at)
		return snap, err == nil, err
	}
	return snap, false, nil
}
