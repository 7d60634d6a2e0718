package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"lull/actors"
	"lull/subjects/ledger"
	"lull/subjects/section"
)

// restore returns the state of the newest snapshot that fits the log, from
// whichever service made it, or that of an empty log.
func (c *Client) restore(ctx context.Context, info actors.LogInfo) (*ledger.State, error) {
	if err := c.mayRead(ctx, "OBJ_"+c.pool.Snapshots(), "read the pool's state"); err != nil {
		return nil, err
	}
	seqs, err := c.bus.Snapshots(ctx)
	if err != nil {
		return nil, err
	}
	newer := false
	names := slices.SortedFunc(maps.Keys(seqs), func(a, b string) int {
		return cmp.Or(cmp.Compare(seqs[b], seqs[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		snap, err := c.bus.Load(ctx, name)
		if err != nil || !c.fits(ctx, snap, info) {
			continue
		}
		state, err := unpack(snap)
		if err == nil {
			return state, nil
		}
		newer = newer || errors.Is(err, section.ErrNewer)
	}
	if newer && info.First > 1 {
		return nil, fmt.Errorf("the state of pool %q was saved by a newer version of lull, and its log begins at entry %d: use the version that the pool runs", c.pool, info.First)
	}
	if info.First > 1 && info.First <= info.Last && !actors.Bridged(ctx, c.bus, info, 1) {
		return nil, fmt.Errorf("the log of pool %q begins at entry %d and no snapshot reaches up to there: start lull admission, which has the pool's state, and try again", c.pool, info.First)
	}
	return ledger.New(), nil
}

// fits reports whether a snapshot is of this log and leaves no gap to it.
func (c *Client) fits(ctx context.Context, snap actors.Snapshot, info actors.LogInfo) bool {
	return snap.Created.Equal(info.Created) && snap.Seq <= info.Last &&
		(snap.Seq+1 >= info.First || actors.Bridged(ctx, c.bus, info, snap.Seq+1))
}

// unpack takes the ledger out of an actor's snapshot, if it is one of those
// that hold it and this version reads it.
func unpack(snap actors.Snapshot) (*ledger.State, error) {
	state, err := ledger.Unpack(snap.State, snap.Version)
	if err != nil {
		return nil, err
	}
	if state.Seq > snap.Seq {
		return nil, fmt.Errorf("the ledger is at %d, beyond its snapshot at %d", state.Seq, snap.Seq)
	}
	state.Seq = snap.Seq
	return state, nil
}
