package shell

import (
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/actors/collector"
	"lull/actors/core"
)

// refollowAfter is the pause before a broken subscription is made again.
const refollowAfter = time.Second

func (s *Shell) follow() (<-chan actors.Delivery, error) {
	from := s.core.Seq() + 1
	entries, err := s.cfg.Bus.Follow(s.ctx, from, s.cfg.Filter)
	if err != nil {
		return nil, fmt.Errorf("follow the log from %d: %w", from, err)
	}
	return entries, nil
}

// askUntilAnswered asks the bus until it answers: a connection that is lost while a
// service begins comes back like any other. The error is that of Run's context.
func askUntilAnswered[T any](s *Shell, ask func() (T, error)) (T, error) {
	for {
		answer, err := ask()
		if err == nil || s.stopping() {
			return answer, err
		}
		if s.setUnhealthy(err.Error()) {
			s.cfg.Logger.Warn("the log cannot be opened; trying again", "error", err)
		}
		s.pause(refollowAfter)
	}
}

// refollow makes a subscription that broke again, as often as it takes.
func (s *Shell) refollow() <-chan actors.Delivery {
	for !s.stopping() {
		entries, err := s.follow()
		if err == nil {
			s.setHealthy()
			return entries
		}
		if s.setUnhealthy(err.Error()) {
			s.cfg.Logger.Warn("the log cannot be followed; trying again", "error", err)
		}
		s.pause(refollowAfter)
	}
	return nil
}

// fold feeds one message of the log to the core, from any writer.
func (s *Shell) fold(d actors.Delivery) {
	if s.fatal() != nil {
		return
	}
	event, err := s.cfg.Vocabulary.Decode(s.cfg.Bus.Pool(), d.Subject, d.Body)
	a := core.Arrival{
		Entry:   &actors.Entry{Seq: d.Seq, Time: d.Time, Event: event},
		Subject: d.Subject, Body: d.Body, Pending: d.Pending, Err: err, Optional: d.Header[actors.Optional] == "1",
	}
	if err != nil {
		a.Event = nil
		a.Foreign = !d.Skippable(err) && s.foreign(d.Subject)
		if s.stopping() {
			return // whether it is foreign could not be asked
		}
	}
	s.perform(s.core.Fold(s.moment(), a))
	s.metrics.folded(d.Pending)
}

// foreign reports whether a subject that this version cannot decode is not one of
// the log's either. Subjects of a newer version are the log's: that version adds
// them to the stream before it writes.
func (s *Shell) foreign(subject string) bool {
	info, err := askUntilAnswered(s, func() (actors.LogInfo, error) { return s.cfg.Bus.Log(s.ctx) })
	if err != nil || info.Keeps(subject) {
		return false
	}
	s.metrics.foreign.Inc()
	if s.quarantine.warnForeign() {
		s.cfg.Logger.Error("a message entered the log that was not published there: check which keys may create consumers (lull permissions prints the rights that each role needs)", "subject", subject)
	}
	return true
}

// restore loads the last snapshot, or leaves the actor as it is, and has the core begin where
// the log is to be folded from.
func (s *Shell) restore() error {
	log, err := s.describe()
	if err != nil {
		return fmt.Errorf("describe the log: %w", err)
	}
	if err := s.load(log); err != nil || s.core.Begin(s.moment(), log) {
		return err
	}
	snapshots, err := askUntilAnswered(s, func() (map[string]uint64, error) { return s.cfg.Bus.Snapshots(s.ctx) })
	if err != nil {
		return fmt.Errorf("list the snapshots: %w", err)
	}
	return s.core.Unreached(log, snapshots)
}

// describe returns the log as it stands.
func (s *Shell) describe() (log core.Log, err error) {
	log.LogInfo, err = askUntilAnswered(s, func() (actors.LogInfo, error) { return s.cfg.Bus.Log(s.ctx) })
	if err == nil && log.First > 1 && !s.cfg.Anywhere {
		log.Void = actors.FirstVoid(s.ctx, s.cfg.Bus, log.LogInfo)
	}
	return log, err
}

// load restores the actor from its own version's snapshot, or else from the one
// of an earlier version that it reads.
func (s *Shell) load(log core.Log) error {
	for _, place := range s.cfg.Places() {
		snap, err := s.saved(place.Name)
		if errors.Is(err, actors.ErrNoSnapshot) {
			continue
		}
		if err != nil {
			return fmt.Errorf("load the snapshot: %w", err)
		}
		end := collector.Pause()
		unused, err := s.core.Restore(log, place, snap)
		if end(); err != nil || unused == "" {
			return err
		}
		s.cfg.Logger.Warn("the snapshot is not used: "+unused, "snapshot", place.Name, "sequence", snap.Seq)
	}
	return nil
}

// saved is the snapshot of a name, or actors.ErrNoSnapshot.
func (s *Shell) saved(name string) (actors.Snapshot, error) {
	none := false
	snap, err := askUntilAnswered(s, func() (actors.Snapshot, error) {
		snap, err := s.cfg.Bus.Load(s.ctx, name)
		if none = errors.Is(err, actors.ErrNoSnapshot); none {
			return snap, nil
		}
		return snap, err
	})
	if none {
		return snap, actors.ErrNoSnapshot
	}
	return snap, err
}
