package jetstream

import (
	"context"
	"fmt"

	"lull/actors"
	"lull/subjects"
)

// Void fills a log that has lost its tail with Voided entries up to a sequence, so that
// no lost sequence is given out again. The server cannot skip sequences without
// dropping what is before them, so each one gets an entry.
func (b *Bus) Void(ctx context.Context, upTo uint64) error {
	info, err := b.Log(ctx)
	if err != nil {
		return err
	}
	m, err := subjects.Encode(b.pool, &subjects.Voided{From: info.Last + 1, Why: "the log had lost its tail"})
	if err != nil {
		return err
	}
	for last := info.Last; last < upTo; {
		batch := make([]subjects.Message, min(upTo-last, actors.MaxBatch))
		for i := range batch {
			batch[i] = m
		}
		if last, err = b.Append(ctx, batch, actors.Fence{}); err != nil {
			return fmt.Errorf("fill the log up to %d: %w", upTo, err)
		}
	}
	return nil
}
