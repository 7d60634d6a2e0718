package shell

import (
	"context"
	"fmt"
	"time"

	"lull/actors"
	"lull/actors/core"
)

// leaveWithin bounds the last snapshot and the release of the lease.
const leaveWithin = 5 * time.Second

// goSave stores a snapshot in the background, and then drops what it makes needless.
func (s *Shell) goSave(save core.Save) {
	s.spawn(func() {
		err := s.save(s.ctx, save.Snapshot)
		if err == nil {
			err = s.dropOld()
		}
		if err == nil && save.Trim {
			err = s.trim()
		}
		if err == nil || !s.stopping() {
			s.mail.post(func() { s.perform(s.core.Saved(s.moment(), err)) })
		}
	})
}

func (s *Shell) save(ctx context.Context, snap actors.Snapshot) error {
	if err := s.cfg.Bus.Save(ctx, s.cfg.SnapshotName(), snap); err != nil {
		return fmt.Errorf("save the snapshot at %d: %w", snap.Seq, err)
	}
	return nil
}

// dropOld removes the snapshots that no version will read again.
func (s *Shell) dropOld() error {
	if s.cfg.Keep == 0 {
		return nil
	}
	snapshots, err := s.cfg.Bus.Snapshots(s.ctx)
	if err != nil {
		return fmt.Errorf("drop old snapshots: %w", err)
	}
	for _, name := range core.Outdated(s.cfg.Role, snapshots) {
		if err := s.cfg.Bus.Forget(s.ctx, name); err != nil {
			return fmt.Errorf("drop old snapshots: %w", err)
		}
		s.cfg.Logger.Info("the snapshot of an earlier version is removed", "snapshot", name, "sequence", snapshots[name])
	}
	return nil
}

// trim drops the log's entries that no service needs.
func (s *Shell) trim() error {
	log, err := s.cfg.Bus.Log(s.ctx)
	if err != nil {
		return fmt.Errorf("trim the log: %w", err)
	}
	if log.Last+1-log.First <= s.cfg.Keep {
		return nil // spare the server the list of snapshots
	}
	snapshots, err := s.cfg.Bus.Snapshots(s.ctx)
	if err != nil {
		return fmt.Errorf("trim the log: %w", err)
	}
	if below := core.TrimBelow(s.cfg.Role, log, snapshots); below > 0 {
		return s.cfg.Bus.Trim(s.ctx, below)
	}
	return nil
}

// leave saves what a restart would have to fold again, and releases the lease for the next
// instance. After a failed fold the state is not worth keeping. Without the snapshot nothing is
// lost: the restart folds more.
func (s *Shell) leave(failed error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), leaveWithin)
	defer cancel()
	err := s.releaseLease(ctx)
	if failed != nil {
		return err
	}
	snap, due, snapErr := s.core.Last(s.moment())
	if due {
		snapErr = s.save(ctx, snap)
	}
	if snapErr != nil {
		s.cfg.Logger.Warn("no snapshot was saved at the end", "error", snapErr)
	}
	return err
}
