package client

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/subjects"
	"lull/subjects/spec"
)

// list is a stage's splits, made one by one: a million of them at once would
// take gigabytes.
type list struct {
	tasks  int
	chunk  uint32 // tasks that may share an object
	splits iter.Seq[spec.Split]

	bytes   int64    // input of a task on average
	sources []string // data nodes behind it
}

func params(lines []string) iter.Seq[spec.Split] {
	return func(yield func(spec.Split) bool) {
		for _, line := range lines {
			if !yield(spec.Split{Param: line}) {
				return
			}
		}
	}
}

// widest is the greatest number of ranges that one of the splits has.
func widest(splits iter.Seq[spec.Split]) (ranges int) {
	for s := range splits {
		ranges = max(ranges, len(s.Ranges))
	}
	return ranges
}

// putChunks stores a list's splits in objects.
func (c *Client) putChunks(ctx context.Context, name string, l list) error {
	k := uint32(0)
	for chunk := range chunks(l.splits, int(l.chunk)) {
		body, err := subjects.Marshal(spec.Chunk{Splits: chunk})
		if err != nil {
			return err
		}
		meta := upstream.ObjectMeta{Name: spec.ChunkName(name, k)}
		if _, err := c.bus.Objects().Put(ctx, meta, bytes.NewReader(body)); err != nil {
			return fmt.Errorf("store the task list: %w", err)
		}
		k++
	}
	return nil
}

// chunks cuts a sequence; the slice it yields is good until the next one.
func chunks(splits iter.Seq[spec.Split], n int) iter.Seq[[]spec.Split] {
	return func(yield func([]spec.Split) bool) {
		chunk := make([]spec.Split, 0, n)
		for split := range splits {
			if chunk = append(chunk, split); len(chunk) < n {
				continue
			}
			if !yield(chunk) {
				return
			}
			chunk = chunk[:0]
		}
		if len(chunk) > 0 {
			yield(chunk)
		}
	}
}
