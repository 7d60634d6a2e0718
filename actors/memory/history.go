package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"lull/actors"
	"lull/subjects"
)

// blocks is a stream of history: the last message of each subject.
type blocks struct {
	created time.Time
	last    uint64
	kept    map[string]actors.Delivery
	limit   int // subjects, 0 for no limit
}

// LimitHistory sets how many blocks of history the bus takes; 0 for as many as come.
func (b *Bus) LimitHistory(blocks int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.history.limit = blocks
}

// PutHistory keeps a block of history in place of the one under its subject.
func (b *Bus) PutHistory(ctx context.Context, m subjects.Message) error {
	if err := cmp.Or(ctx.Err(), actors.CheckHistory(b.pool, m)); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	h := &b.mu.history
	if _, known := h.kept[m.Subject]; !known && h.limit > 0 && len(h.kept) >= h.limit {
		return actors.ErrHistoryFull
	}
	h.last++
	d := actors.Delivery{Subject: m.Subject, Body: slices.Clone(m.Body), Seq: h.last, Time: time.Now()}
	h.kept[m.Subject] = d
	b.deliver(d)
	return nil
}

// HistoryInfo describes the stream of history.
func (b *Bus) HistoryInfo(context.Context) (actors.LogInfo, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := &b.mu.history
	info := actors.LogInfo{Created: h.created, First: h.last + 1, Last: h.last, Subjects: b.pool.HistorySubjects()}
	for _, d := range h.kept {
		info.First = min(info.First, d.Seq)
	}
	return info, nil
}

// ReadHistory calls take without the lock, so that it may use the bus.
func (b *Bus) ReadHistory(ctx context.Context, from uint64, filter string, take func(actors.Delivery) error) (uint64, error) {
	next := max(from, 1)
	for _, d := range b.blocks(next, filter) {
		if err := ctx.Err(); err != nil {
			return next, err
		}
		next = d.Seq + 1
		if err := take(d); err != nil {
			return next, err
		}
	}
	return next, ctx.Err()
}

// blocks lists the blocks from a sequence on.
func (b *Bus) blocks(from uint64, filter string) []actors.Delivery {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := slices.Collect(maps.Values(b.mu.history.kept))
	found = slices.DeleteFunc(found, func(d actors.Delivery) bool {
		return d.Seq < from || filter != "" && !actors.Match(filter, d.Subject)
	})
	slices.SortFunc(found, func(x, y actors.Delivery) int { return cmp.Compare(x.Seq, y.Seq) })
	for i := range found {
		found[i].Pending = uint64(len(found) - 1 - i)
	}
	return found
}
