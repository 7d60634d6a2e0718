package actors

import (
	"errors"
	"fmt"
	"time"

	"lull/subjects"
)

// refollowAfter is the pause before a broken subscription is made again.
const refollowAfter = time.Second

func (s *Shell) follow() (<-chan Delivery, error) {
	entries, err := s.cfg.Bus.Follow(s.ctx, s.seq+1, s.cfg.Filter)
	if err != nil {
		return nil, fmt.Errorf("follow the log from %d: %w", s.seq+1, err)
	}
	return entries, nil
}

// insist asks the bus until it answers: a connection that is lost while a
// service begins comes back like any other. The error is that of Run's context.
func insist[T any](s *Shell, ask func() (T, error)) (T, error) {
	for {
		answer, err := ask()
		if err == nil || s.ctx.Err() != nil {
			return answer, err
		}
		if s.ail(err.Error()) {
			s.cfg.Logger.Warn("the beginning waits for the connection; trying again", "error", err)
		}
		s.pause(refollowAfter)
	}
}

// refollow makes a subscription that broke again, as often as it takes.
func (s *Shell) refollow() <-chan Delivery {
	for s.ctx.Err() == nil {
		entries, err := s.follow()
		if err == nil {
			s.heal()
			return entries
		}
		if s.ail(err.Error()) {
			s.cfg.Logger.Warn("the log cannot be followed; trying again", "error", err)
		}
		s.pause(refollowAfter)
	}
	return nil
}

func (s *Shell) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.ctx.Done():
	}
}

// fold steps the actor with one message of the log, whoever wrote it.
func (s *Shell) fold(d Delivery) {
	if s.failed != nil || !s.contiguous(d) {
		return
	}
	s.clock.observe(d.Time, d.Pending == 0)
	event, err := subjects.Decode(s.cfg.Bus.Pool(), d.Subject, d.Body)
	foreign := err != nil && !d.Passable(err) && s.foreign(d.Subject)
	if err != nil && !foreign && !d.Passable(err) {
		if s.stopping() {
			return
		}
		s.failed = fmt.Errorf("entry %d on %s: %w: a newer version of lull has written to this log; run that version", d.Seq, d.Subject, err)
		return
	}
	s.seq, s.behind = d.Seq, d.Pending
	s.snapshot.folded++
	if d.Subject == s.cfg.LedSubject {
		s.noteLed(d.Seq, event)
	}
	switch {
	case err == nil:
		s.step(Input{Entry: &Entry{Seq: d.Seq, Time: d.Time, Event: event}})
	case foreign || !errors.Is(err, subjects.ErrUnknownKind):
		s.setAside("log", fmt.Sprintf("log-%d", d.Seq), err, d.Body)
	}
	if s.term() != 0 && s.inbox.after.IsZero() {
		s.openInbox() // after the step, in which the actor folds which inbox the term reads
	}
	s.landed()
	s.met.folded(d.Pending)
	s.snapshotIfDue()
}

// foreign reports whether a subject that this version cannot decode is not one of
// the log's either. Subjects of a newer version are the log's: that version adds
// them to the stream before it writes.
func (s *Shell) foreign(subject string) bool {
	info, err := insist(s, func() (LogInfo, error) { return s.cfg.Bus.Log(s.ctx) })
	if err != nil || info.Keeps(subject) {
		return false
	}
	s.met.foreign.Inc()
	if s.aside.warnForeign() {
		s.cfg.Logger.Error("a message entered the log that was not published there: check which keys may create consumers (lull permissions prints the rights that each role needs)", "subject", subject)
	}
	return true
}

// contiguous refuses what was folded already and stops at a gap. Whoever
// folds all of the log sees every sequence; with a filter gaps are natural.
func (s *Shell) contiguous(d Delivery) bool {
	if d.Seq <= s.seq {
		return false
	}
	if s.cfg.Filter == "" && !s.cfg.Anywhere && d.Seq != s.seq+1 && !Voids(s.cfg.Bus.Pool(), d, s.seq+1) {
		s.failed = truncated(d.Seq)
		return false
	}
	return true
}

func truncated(first uint64) error {
	return fmt.Errorf("the log is truncated below %d and no snapshot reaches it: put the snapshot bucket back from a backup; where `lull up` or `lull server` keeps the store, `lull repair` goes on without what is lost", first)
}
