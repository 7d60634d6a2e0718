package store

import (
	"context"
	"crypto/sha256"
	"io"
	"os"

	"lull/client/holes"
	"lull/subjects/manifest"
)

// Hasher is another process that hashes files: see package sum.
type Hasher interface {
	// Sum returns the bytes and the SHA-256 of the extents of an open file; of all of it if they are nil. It calls more
	// each time that it has hashed some more bytes.
	Sum(f *os.File, data []manifest.Extent, more func(int64)) (int64, []byte, error)
	Close() error
}

// HashBy moves the hashing of outputs, except the first few megabytes of each, to a Hasher. start
// starts one, which ends with its context. HashBy must not run beside other calls.
func (s *Store) HashBy(start func(context.Context) (Hasher, error)) { s.hasher = start }

// hashedHere is how many bytes of an output the agent hashes itself, at its own weight. They take
// some 10 ms, about as long as starting another process.
const hashedHere = 8 << 20

// hashing is the hashing of one output.
type hashing struct {
	ctx      context.Context
	start    func(context.Context) (Hasher, error)
	here     int64 // bytes still to be hashed here
	other    Hasher
	progress *Progress // nil if no reader wants it
	piece    []byte    // what is read of a file at once, for all files
}

// pieceBytes is large enough for reading to cost little beside hashing.
const pieceBytes = 32 << 10

// sum hashes the extents of a file, or all of it if they are nil; here, too, if no other process can.
func (h *hashing) sum(f *os.File, size int64, data []manifest.Extent) (int64, []byte, error) {
	var from io.Reader = f
	if data != nil {
		in := holes.NewReader(f, data)
		from, size = in, in.Size()
	}
	if h.here -= size; h.here < 0 && h.others() {
		n, sum, err := h.other.Sum(f, data, h.progress.add)
		if err == nil || h.ctx.Err() != nil {
			return n, sum, err
		}
		h.close()
	}
	if h.piece == nil {
		h.piece = make([]byte, pieceBytes)
	}
	hash := sha256.New()
	n, err := io.CopyBuffer(hash, reader{h.ctx, from, h.progress}, h.piece)
	return n, hash.Sum(nil), err
}

// others reports whether another process hashes. One that could not be started is not tried again.
func (h *hashing) others() bool {
	if h.other == nil && h.start != nil {
		var err error
		if h.other, err = h.start(h.ctx); err != nil {
			h.other, h.start = nil, nil
		}
	}
	return h.other != nil
}

// close ends the process that hashes, for good.
func (h *hashing) close() {
	if h.other != nil {
		_ = h.other.Close() // it has answered all that it was asked
	}
	h.other, h.start = nil, nil
}

// reader reads until ctx ends: a file can be as large as the disk, and an empty one as
// large as any.
type reader struct {
	ctx      context.Context
	from     io.Reader
	progress *Progress
}

func (r reader) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	n, err := r.from.Read(b)
	r.progress.add(int64(n))
	return n, err
}
