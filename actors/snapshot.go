package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lull/subjects/section"
)

// leaveWithin bounds the last snapshot and the release of the lease.
const leaveWithin = 5 * time.Second

// saver is the state of saving snapshots.
type saver struct {
	folded uint64    // entries folded since the last snapshot
	at     time.Time // time of the last snapshot
	busy   bool      // one is being saved
	// taken says that a newer version saved under the name; it is not replaced.
	taken bool
}

// restore loads the last snapshot, or leaves the actor as it is, and sets the
// sequence from which the log is to be folded.
func (s *Shell) restore() error {
	info, err := insist(s, func() (LogInfo, error) { return s.cfg.Bus.Log(s.ctx) })
	if err != nil {
		return fmt.Errorf("describe the log: %w", err)
	}
	s.created = info.Created
	if err := s.load(info); err != nil {
		return err
	}
	switch {
	case s.seq+1 >= info.First:
	case s.cfg.Anywhere:
		s.seq = info.First - 1
	case !Bridged(s.ctx, s.cfg.Bus, info, s.seq+1):
		return s.unreached(info)
	}
	if s.cfg.Filter == "" {
		s.behind = info.Last - s.seq
	}
	s.snapshot.at = time.Now()
	return nil
}

// load restores the actor from its own version's snapshot, or else from the one
// of an earlier version that it reads.
func (s *Shell) load(info LogInfo) error {
	for _, at := range s.cfg.readable() {
		snap, err := s.saved(at.name)
		if errors.Is(err, ErrNoSnapshot) {
			continue
		}
		if err != nil {
			return fmt.Errorf("load the snapshot: %w", err)
		}
		if snap.Created.Equal(info.Created) && snap.Seq > info.Last {
			return s.lostTail(info.Last, snap.Seq, fmt.Sprintf("snapshot %s was made at entry %d", at.name, snap.Seq))
		}
		if why := s.unfit(snap, info, at.versions); why != "" {
			s.cfg.Logger.Warn("the snapshot is not used: "+why, "snapshot", at.name, "sequence", snap.Seq)
			continue
		}
		if used, err := s.become(snap, at.name); used || err != nil {
			return err
		}
	}
	return nil
}

// saved is the snapshot of a name, or ErrNoSnapshot.
func (s *Shell) saved(name string) (Snapshot, error) {
	none := false
	snap, err := insist(s, func() (Snapshot, error) {
		snap, err := s.cfg.Bus.Load(s.ctx, name)
		if none = errors.Is(err, ErrNoSnapshot); none {
			return snap, nil
		}
		return snap, err
	})
	if none {
		return snap, ErrNoSnapshot
	}
	return snap, err
}

// unfit returns why a snapshot cannot be used on this log, "" if it can.
func (s *Shell) unfit(snap Snapshot, info LogInfo, versions []int) string {
	switch {
	case !snap.Created.Equal(info.Created):
		return "it was made of another log"
	case snap.Seq+1 < info.First && !s.cfg.Anywhere && !Bridged(s.ctx, s.cfg.Bus, info, snap.Seq+1):
		return fmt.Sprintf("the log begins at %d, with a gap after it", info.First)
	case !slices.Contains(versions, snap.Version):
		return fmt.Sprintf("it is of version %d, this lull writes %d and reads %v", snap.Version, s.cfg.Version, versions)
	}
	return ""
}

// become restores the actor, or leaves it as it was if that fails. A snapshot with
// sections that only a newer version reads is kept: nothing is saved over it.
func (s *Shell) become(snap Snapshot, name string) (bool, error) {
	initial, err := s.cfg.Actor.Snapshot()
	if err != nil {
		return false, fmt.Errorf("snapshot of the initial state: %w", err)
	}
	if err := s.cfg.Actor.Restore(snap.State); err != nil {
		s.snapshot.taken = s.snapshot.taken || errors.Is(err, section.ErrNewer) && name == s.cfg.snapshotName()
		s.cfg.Logger.Warn("the snapshot cannot be read and is not used", "snapshot", name, "error", err)
		return false, s.cfg.Actor.Restore(initial)
	}
	s.seq, s.tenure.led = snap.Seq, snap.Led
	return true, nil
}

// savable reports whether there are new entries to save, and a name to save under.
func (s *Shell) savable() bool {
	return s.cfg.SnapshotEvery > 0 && !s.snapshot.taken && s.snapshot.folded > 0
}

// untilSnapshot is the time until a snapshot is due regardless of the number of
// entries.
func (s *Shell) untilSnapshot() time.Duration {
	if s.cfg.SnapshotAfter == 0 {
		return time.Hour
	}
	return s.cfg.SnapshotAfter - time.Since(s.snapshot.at)
}

func (s *Shell) snapshotIfDue() {
	if s.snapshot.busy || !s.savable() || s.snapshot.folded < s.cfg.SnapshotEvery && s.untilSnapshot() > 0 {
		return
	}
	snap, err := s.take()
	if err != nil {
		s.failed = err
		return
	}
	s.snapshot.busy = true
	trims := s.trims()
	s.spawn(func() {
		err := s.save(s.ctx, snap)
		if err == nil {
			err = s.dropOld(s.ctx)
		}
		if err == nil && trims {
			err = s.trim(s.ctx)
		}
		s.mail.post(func() { s.wasSaved(err) })
	})
}

// take makes the bytes on the loop, where nothing else touches the actor.
func (s *Shell) take() (Snapshot, error) {
	state, err := s.cfg.Actor.Snapshot()
	if err != nil {
		return Snapshot{}, fmt.Errorf("take a snapshot: %w", err)
	}
	s.snapshot.folded, s.snapshot.at = 0, time.Now()
	return Snapshot{Created: s.created, Seq: s.seq, Version: s.cfg.Version, Led: s.tenure.led, State: state}, nil
}

func (s *Shell) save(ctx context.Context, snap Snapshot) error {
	if err := s.cfg.Bus.Save(ctx, s.cfg.snapshotName(), snap); err != nil {
		return fmt.Errorf("save the snapshot at %d: %w", snap.Seq, err)
	}
	return nil
}

func (s *Shell) wasSaved(err error) {
	s.snapshot.busy = false
	if err != nil && s.ctx.Err() == nil {
		s.snapshot.folded++ // there is something to save, SnapshotAfter from now or when the shell ends
		s.cfg.Logger.Warn("no snapshot this time", "error", err)
	}
}

// leave saves what a restart would have to fold again and lets the next
// instance in. After a failed fold the state is not worth keeping. Without the
// snapshot nothing is lost: the restart folds more.
func (s *Shell) leave(failed error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), leaveWithin)
	defer cancel()
	err := s.releaseLease(ctx)
	if s.snapshot.busy {
		s.snapshot.folded++ // the end may have cut off its saving
	}
	if failed != nil || !s.savable() {
		return err
	}
	snap, snapErr := s.take()
	if snapErr == nil {
		snapErr = s.save(ctx, snap)
	}
	if snapErr != nil {
		s.cfg.Logger.Warn("no snapshot at the end", "error", snapErr)
	}
	return err
}
