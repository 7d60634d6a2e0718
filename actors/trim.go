package actors

import (
	"context"
	"fmt"
	"slices"
)

// trims reports whether this shell trims the log now.
func (s *Shell) trims() bool { return s.cfg.Trimmer && s.cfg.Keep > 0 && s.term() != 0 }

// trim drops the entries that no service needs, except the newest Keep. A service
// that folds the whole log needs the entries after its snapshot. Terms keep nothing:
// an instance whose Led or Joined is gone is refused its next batch and opens a new
// term, and a fold's state holds the terms that it compares facts with.
func (s *Shell) trim(ctx context.Context) error {
	info, err := s.cfg.Bus.Log(ctx)
	if err != nil {
		return fmt.Errorf("trim the log: %w", err)
	}
	if info.Last+1-info.First <= s.cfg.Keep {
		return nil
	}
	snapshots, err := s.cfg.Bus.Snapshots(ctx)
	if err != nil {
		return fmt.Errorf("trim the log: %w", err)
	}
	needed, all := s.needed(snapshots)
	below := min(needed, info.Last+1-s.cfg.Keep)
	if !all || below <= info.First {
		return nil
	}
	return s.cfg.Bus.Trim(ctx, below)
}

// needed is the first entry that a restarted service would have to fold; false if a
// service has no snapshot yet. A version of a service whose snapshot is more than
// Keep behind that of another version is taken to run no more.
func (s *Shell) needed(snapshots map[string]uint64) (from uint64, all bool) {
	newest := make(map[string]uint64)
	for name, seq := range snapshots {
		owner, _ := snapshotOf(name)
		newest[owner] = max(newest[owner], seq)
	}
	folders := append(slices.Clone(s.cfg.Awaits), s.cfg.owner())
	for _, owner := range folders {
		if _, saved := newest[owner]; !saved {
			return 0, false
		}
	}
	from = newest[s.cfg.owner()] + 1
	for name, seq := range snapshots {
		owner, _ := snapshotOf(name)
		if slices.Contains(folders, owner) && seq+s.cfg.Keep >= newest[owner] {
			from = min(from, seq+1)
		}
	}
	return from, true
}
