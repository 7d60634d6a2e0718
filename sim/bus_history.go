package sim

import (
	"cmp"
	"slices"
	"time"

	"lull/actors"
	"lull/subjects"
)

// blocks is a pool's stream of history: the last message of each subject, oldest first.
type blocks struct {
	kept []actors.Delivery
	last uint64
}

// put keeps a block in place of the one under its subject.
func (b *blocks) put(now time.Time, m subjects.Message) {
	b.last++
	b.kept = slices.DeleteFunc(b.kept, func(d actors.Delivery) bool { return d.Subject == m.Subject })
	b.kept = append(b.kept, actors.Delivery{Subject: m.Subject, Body: m.Body, Seq: b.last, Time: now})
}

// from lists the blocks from a sequence on.
func (b *blocks) from(seq uint64, filter string) []actors.Delivery {
	i, _ := slices.BinarySearchFunc(b.kept, seq, func(d actors.Delivery, seq uint64) int { return cmp.Compare(d.Seq, seq) })
	return slices.DeleteFunc(slices.Clone(b.kept[i:]), func(d actors.Delivery) bool {
		return filter != "" && !actors.Match(filter, d.Subject)
	})
}
