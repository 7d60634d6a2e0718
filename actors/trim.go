package actors

import (
	"context"
	"fmt"
)

// floor is the lowest sequence that this leader needs kept, 0 if it does not
// trim: its own Led, and what the actor asks for.
func (s *Shell) floor() uint64 {
	if !s.cfg.Trimmer || s.cfg.Keep == 0 || s.term() == 0 {
		return 0
	}
	floor := s.term()
	if floored, ok := s.cfg.Actor.(Floored); ok {
		floor = min(floor, floored.Floor())
	}
	return floor
}

// newestOf is the highest sequence of each owner's snapshots, of any version. A
// version whose snapshot is more than Keep behind that runs no more, and its
// snapshot keeps nothing.
func newestOf(snapshots map[string]uint64) map[string]uint64 {
	newest := make(map[string]uint64)
	for name, seq := range snapshots {
		owner, _ := snapshotOf(name)
		newest[owner] = max(newest[owner], seq)
	}
	return newest
}

// trim drops what no snapshot, no term and no actor needs any more. The
// newest Keep entries stay in any case.
func (s *Shell) trim(ctx context.Context, floor uint64) error {
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
	newest := newestOf(snapshots)
	for _, owner := range s.cfg.Awaits {
		if _, saved := newest[owner]; !saved {
			return nil
		}
	}
	below := min(floor, info.Last+1-s.cfg.Keep)
	for name, seq := range snapshots {
		if owner, _ := snapshotOf(name); seq+s.cfg.Keep >= newest[owner] {
			below = min(below, seq+1)
		}
	}
	if below <= info.First {
		return nil
	}
	return s.cfg.Bus.Trim(ctx, below)
}
