package core

import (
	"errors"
	"fmt"

	"lull/actors"
	"lull/subjects"
)

// Arrival is a message of the log as its reader got it.
type Arrival struct {
	*actors.Entry        // its Event is nil if the bytes are none of this version
	Subject       string // on which it stands
	Body          []byte
	Pending       uint64 // messages behind this one when it was sent

	Err      error // why there is no event, nil if there is one
	Optional bool  // its writer allows versions that lack its kind to pass over it
	Foreign  bool  // its subject is none of the log's: it was not published there
}

// skippable reports whether a reader may pass over it. Bytes that are no event change no
// state. An event of a kind that only a newer version has may change it.
func (a *Arrival) skippable() bool {
	return a.Err == nil || a.Foreign || a.Optional || !errors.Is(a.Err, subjects.ErrUnknownKind)
}

// Fold steps the actor with one message of the log, from any writer.
func (c *Core) Fold(at Moment, a Arrival) []Effect {
	c.begin(at)
	if c.failed != nil || !c.contiguous(a) {
		return nil
	}
	c.clock.observe(&c.at, a.Time, a.Pending == 0)
	if !a.skippable() {
		c.failed = fmt.Errorf("entry %d on %s: %w: a newer version of lull has written to this log; run that version", a.Seq, a.Subject, a.Err)
		return nil
	}
	c.seq, c.behind = a.Seq, a.Pending
	c.snapshot.folded++
	if a.Subject == c.cfg.LedSubject {
		c.noteLed(a.Seq, a.Event)
	}
	if c.failed != nil {
		return c.out
	}
	switch {
	case a.Err == nil:
		c.step(actors.Input{Entry: a.Entry})
	case a.Foreign || !errors.Is(a.Err, subjects.ErrUnknownKind):
		c.emit(Quarantine{"log", fmt.Sprintf("log-%d", a.Seq), a.Err, a.Body})
	}
	if c.term() != 0 && c.inbox.after == 0 {
		c.openInbox() // after the step, in which the actor folds which inbox the term reads
	}
	c.endFlight()
	c.snapshotIfDue()
	return c.out
}

// contiguous refuses what was folded already and stops at a gap. An instance that
// folds all of the log sees every sequence; with a filter gaps are natural.
func (c *Core) contiguous(a Arrival) bool {
	if a.Seq <= c.seq {
		return false
	}
	if c.cfg.Filter != "" || a.Seq == c.seq+1 {
		return true
	}
	switch {
	case c.cfg.Anywhere:
		c.reportGap()
	case !actors.Voids(a.Event, c.seq+1):
		c.failed = truncated(a.Seq)
		return false
	}
	return true
}

func truncated(first uint64) error {
	return fmt.Errorf("the log is truncated below %d and no snapshot reaches it: put the snapshot bucket back from a backup; where `lull up` or `lull server` keeps the store, `lull repair` goes on without what is lost", first)
}
