package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"lull/subjects"
	"lull/subjects/spec"
)

// ReadSplits returns the splits of all tasks of a stage, nil if they have none. Those of many tasks are kept beside the
// document, in the pool.
func ReadSplits(ctx context.Context, c *Client, st *spec.Stage) ([]spec.Split, error) {
	if st.List == "" {
		return st.Splits, nil
	}
	if err := c.mayRead(ctx, c.pool.Lists(), "read task lists"); err != nil {
		return nil, err
	}
	splits := make([]spec.Split, 0, st.Tasks)
	for k := uint32(0); len(splits) < int(st.Tasks); k++ {
		body, err := readChunk(ctx, c, st.List, k)
		if err != nil {
			return nil, fmt.Errorf("list of inputs of stage %s: %w", st.Name, err)
		}
		var chunk spec.Chunk
		if err := subjects.Unmarshal(body, &chunk); err != nil {
			return nil, fmt.Errorf("list of inputs of stage %s: chunk %d is damaged: %w", st.Name, k, err)
		}
		if len(chunk.Splits) == 0 {
			return nil, fmt.Errorf("list of inputs of stage %s: chunk %d is empty", st.Name, k)
		}
		splits = append(splits, chunk.Splits...)
	}
	return splits, nil
}

// readChunk reads a chunk of a list: the list is a blob of digests, one for each chunk.
func readChunk(ctx context.Context, c *Client, list string, k uint32) ([]byte, error) {
	sum, ok := spec.ParseListName(list)
	if !ok {
		return nil, fmt.Errorf("%s was stored by an earlier release: submit the job's document as a new job", list)
	}
	index, err := c.bus.ReadBlob(ctx, sum, int(k)*sha256.Size, sha256.Size)
	if err != nil {
		return nil, err
	}
	if len(index) < sha256.Size {
		return nil, fmt.Errorf("it has no chunk %d", k)
	}
	return c.bus.ReadBlob(ctx, hex.EncodeToString(index), 0, spec.MaxChunk+1)
}
