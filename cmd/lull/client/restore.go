package client

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"lull/actors"
	"lull/subjects/ledger"
)

// restore returns the state of the newest snapshot that fits the log, from
// whichever service made it, or that of an empty log.
func (c *Client) restore(ctx context.Context, info actors.LogInfo) (*ledger.State, error) {
	seqs, err := c.bus.Snapshots(ctx)
	if err != nil {
		return nil, err
	}
	names := slices.SortedFunc(maps.Keys(seqs), func(a, b string) int {
		return cmp.Or(cmp.Compare(seqs[b], seqs[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		snap, err := c.bus.Load(ctx, name)
		if err != nil || !fits(snap, info) {
			continue
		}
		if state, ok := unpack(snap); ok {
			return state, nil
		}
	}
	if info.First > 1 && info.First <= info.Last {
		return nil, fmt.Errorf("the log of pool %q begins at entry %d and no snapshot reaches up to there: start lull admission, which knows the pool's state, and try again", c.pool, info.First)
	}
	return ledger.New(), nil
}

// fits reports whether a snapshot is of this log and leaves no gap to it.
func fits(snap actors.Snapshot, info actors.LogInfo) bool {
	return snap.Created.Equal(info.Created) && snap.Seq <= info.Last && snap.Seq+1 >= info.First
}

// unpack takes the ledger out of an actor's snapshot, if it is one of those
// that hold it and this version reads it.
func unpack(snap actors.Snapshot) (*ledger.State, bool) {
	part, _, err := ledger.Unpack(snap.State)
	if err != nil || len(part) == 0 {
		return nil, false
	}
	state := ledger.New()
	if err := state.Restore(part); err != nil || state.Seq > snap.Seq {
		return nil, false
	}
	state.Seq = snap.Seq
	return state, true
}
