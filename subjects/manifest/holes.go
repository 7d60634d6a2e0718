package manifest

import "crypto/sha256"

// Holes describes a file that is mostly holes: its bytes outside Data are zero, and no reader hashes, fetches or
// stores them. Releases that do not know it refuse such a file, because it has no Sum.
type Holes struct {
	Data []Extent `msgpack:"data"` // in order, apart from each other
	Sum  []byte   `msgpack:"sum"`  // SHA-256 of the bytes of Data, one extent after the other
}

// Extent is a part of a file, in bytes.
type Extent struct {
	Offset int64 `msgpack:"offset"`
	Length int64 `msgpack:"length"`
}

// End is the offset after the extent.
func (e Extent) End() int64 { return e.Offset + e.Length }

// MaxExtents bounds the extents of a file with holes. A file with more counts as one without.
const MaxExtents = 1024

// Stored is how many bytes of the file are not in holes.
func (f File) Stored() int64 {
	if f.Holes == nil {
		return f.Size
	}
	return f.Holes.bytes()
}

// Extents are the parts of the file that are not in holes.
func (f File) Extents() []Extent {
	switch {
	case f.Holes != nil:
		return f.Holes.Data
	case f.Size > 0:
		return []Extent{{0, f.Size}}
	}
	return nil
}

// Hash is the SHA-256 of Extents.
func (f File) Hash() []byte {
	if f.Holes != nil {
		return f.Holes.Sum
	}
	return f.Sum
}

func (h *Holes) bytes() (n int64) {
	for _, e := range h.Data {
		n += e.Length
	}
	return n
}

// Fit reports whether a file of the size can have these holes.
func (h *Holes) Fit(size int64) bool {
	if len(h.Sum) != sha256.Size || len(h.Data) > MaxExtents {
		return false
	}
	end := int64(0)
	for _, e := range h.Data {
		if e.Offset < end || e.Length <= 0 || e.Length > size-e.Offset {
			return false
		}
		end = e.End()
	}
	return size >= end
}
