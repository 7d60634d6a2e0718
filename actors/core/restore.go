package core

import (
	"errors"
	"fmt"
	"slices"

	"lull/actors"
	"lull/subjects/section"
)

// Log is the log that an instance begins to read.
type Log struct {
	actors.LogInfo
	// Void is the first entry that the log's beginning declares lost, by a Voided event; 0 if there
	// is none. A state folded up to the entry before Void may continue there.
	Void uint64
}

// continues reports whether a state folded up to the entry before from may go on in the log.
func (l Log) continues(from uint64) bool {
	return from >= l.First || l.Void != 0 && l.Void <= from
}

// Restore makes a saved snapshot the actor's state. Otherwise it leaves the actor as it was and
// returns why the snapshot is not used. A snapshot with sections that only a newer version reads is
// kept: nothing is saved over it. The error says that the log has lost entries that the snapshot
// includes, or that the actor cannot go on.
func (c *Core) Restore(log Log, at actors.Place, snap actors.Snapshot) (unused string, err error) {
	if snap.Created.Equal(log.Created) && snap.Seq > log.Last {
		return "", c.cfg.lostTail(log.Last, snap.Seq, fmt.Sprintf("snapshot %s was made at entry %d", at.Name, snap.Seq))
	}
	if why := c.unusable(log, at, snap); why != "" {
		return why, nil
	}
	initial, err := c.cfg.Actor.Snapshot()
	if err != nil {
		return "", fmt.Errorf("snapshot of the initial state: %w", err)
	}
	if err := c.cfg.Actor.Restore(snap.State); err != nil {
		c.snapshot.taken = c.snapshot.taken || errors.Is(err, section.ErrNewer) && at.Name == c.cfg.SnapshotName()
		return "it cannot be read: " + err.Error(), c.cfg.Actor.Restore(initial)
	}
	c.seq, c.tenure.lastLed = snap.Seq, snap.Led
	if c.isBorrowed(at) { // the term is that of the service that saved it
		c.tenure.lastLed, c.borrowed = 0, snap.Seq
	}
	return "", nil
}

// isBorrowed reports whether a snapshot's place is another service's.
func (c *Core) isBorrowed(at actors.Place) bool {
	return slices.ContainsFunc(c.cfg.Borrows, func(p actors.Place) bool { return p.Name == at.Name })
}

// unusable returns why a snapshot cannot be used on this log, "" if it can.
func (c *Core) unusable(log Log, at actors.Place, snap actors.Snapshot) string {
	switch {
	case !snap.Created.Equal(log.Created):
		return "it was made of another log"
	case !c.cfg.Anywhere && !log.continues(snap.Seq+1):
		return fmt.Sprintf("the log begins at %d, with a gap after it", log.First)
	case !slices.Contains(at.Versions, snap.Version):
		return fmt.Sprintf("it is of version %d, this lull writes %d and reads %v", snap.Version, c.cfg.Version, at.Versions)
	}
	return ""
}

// Begin sets where the log is folded from: after what was restored. It returns false if
// entries between are gone: then Unreached has the error.
func (c *Core) Begin(at Moment, log Log) bool {
	c.created = log.Created
	switch {
	case log.continues(c.seq + 1):
	case c.cfg.Anywhere:
		c.seq = log.First - 1
		c.reportGap()
	default:
		return false
	}
	if c.cfg.Filter == "" {
		c.behind = log.Last - c.seq
	}
	c.snapshot.at = at.Elapsed
	return true
}

// reportGap tells the actor that it misses entries.
func (c *Core) reportGap() {
	if actor, ok := c.cfg.Actor.(actors.Gapped); ok {
		actor.Gap()
	}
}

// Unreached is the error for a log whose beginning was trimmed, without a snapshot that reaches its
// first entry. If a newer version saved such a snapshot, the error names that version.
func (c *Core) Unreached(log Log, snapshots map[string]uint64) error {
	for name, seq := range snapshots {
		owner, version := actors.SnapshotOf(name)
		if owner == c.cfg.Owner() && seq+1 >= log.First && (version > c.cfg.Version || c.snapshot.taken) {
			return fmt.Errorf("the log begins at %d, and only a newer version of lull has a snapshot that reaches it (%s): run that version", log.First, name)
		}
	}
	return truncated(log.First)
}
