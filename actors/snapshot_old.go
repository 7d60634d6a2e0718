package actors

import (
	"context"
	"fmt"
)

// dropOld removes the actor's snapshots that no version will read again. It keeps those of
// this version, of later ones, and of the version before, which may still run or be
// reinstalled. An earlier version counts as no longer running when its snapshot is more than
// Keep behind, as in needed.
func (s *Shell) dropOld(ctx context.Context) error {
	if s.cfg.Keep == 0 {
		return nil
	}
	snapshots, err := s.cfg.Bus.Snapshots(ctx)
	if err != nil {
		return fmt.Errorf("drop old snapshots: %w", err)
	}
	newest, before := uint64(0), -1
	for name, seq := range snapshots {
		if owner, version := snapshotOf(name); owner == s.cfg.owner() {
			newest = max(newest, seq)
			if version < s.cfg.Version {
				before = max(before, version)
			}
		}
	}
	for name, seq := range snapshots {
		owner, version := snapshotOf(name)
		if owner != s.cfg.owner() || version >= before || seq+s.cfg.Keep >= newest {
			continue
		}
		if err := s.cfg.Bus.Forget(ctx, name); err != nil {
			return fmt.Errorf("drop old snapshots: %w", err)
		}
		s.cfg.Logger.Info("the snapshot of an earlier version is removed", "snapshot", name, "sequence", seq)
	}
	return nil
}
