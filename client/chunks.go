package client

import (
	"context"
	"encoding/hex"
	"fmt"
	"iter"

	"lull/subjects"
	"lull/subjects/spec"
)

// list is a stage's splits, made one by one: a million of them at once would
// take gigabytes.
type list struct {
	tasks  int
	chunk  uint32 // tasks that may share an object
	splits iter.Seq[spec.Split]

	bytes     int64    // input of a task on average
	dataNodes []string // data nodes behind it
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

// putChunks stores a list's splits and returns the list's name. The name depends only on
// the content, so a repeated submission puts the same list.
func (c *Client) putChunks(ctx context.Context, l list) (name string, err error) {
	var index []byte
	for chunk := range chunks(l.splits, int(l.chunk)) {
		body, err := subjects.Marshal(spec.Chunk{Splits: chunk})
		if err != nil {
			return "", err
		}
		if index, err = c.putBlob(ctx, body, index); err != nil {
			return "", err
		}
	}
	sums, err := c.putBlob(ctx, index, nil)
	return spec.SummedList(hex.EncodeToString(sums)), err
}

// putBlob stores bytes and appends their sum to sums.
func (c *Client) putBlob(ctx context.Context, body, sums []byte) ([]byte, error) {
	if err := c.may(ctx, c.pool.Piece(subjects.Nobody, "any"), "store task lists"); err != nil {
		return nil, err
	}
	name, err := c.bus.PutBlob(ctx, body)
	if err != nil {
		return nil, unacknowledged("the task list", fmt.Errorf("store the task list: %w", err))
	}
	return hex.AppendDecode(sums, []byte(name))
}

// chunks divides a sequence. Each slice that it yields is valid until the next one.
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
