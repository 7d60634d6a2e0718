package survival

import (
	"math"
	"math/bits"

	"lull/subjects/profile"
)

// highest finds the greatest of a range of packed shares, in constant time: row k has the greatest
// of each 2^k in a row.
type highest struct{ rows [][]byte }

// newHighest counts slots without observation as no usage: other days show theirs.
func newHighest(packed []byte) highest {
	first := make([]byte, len(packed))
	for i, b := range packed {
		if !math.IsNaN(profile.Unpack(b)) {
			first[i] = b
		}
	}
	h := highest{rows: [][]byte{first}}
	for width := 2; width <= len(packed); width *= 2 {
		below := h.rows[len(h.rows)-1]
		row := make([]byte, len(packed)-width+1)
		for i := range row {
			row[i] = max(below[i], below[i+width/2])
		}
		h.rows = append(h.rows, row)
	}
	return h
}

// spans answers for ranges of one length: the greatest of two of the next smaller power of
// two that cover it.
type spans struct {
	row    []byte // nil for no length
	second int
}

// span answers for ranges of so many slots.
func (h *highest) span(slots int) spans {
	if slots <= 0 || slots > h.len() {
		return spans{}
	}
	k := bits.Len(uint(slots)) - 1
	return spans{row: h.rows[k], second: slots - (1 << k)}
}

// from is the greatest of the range that begins at a slot, 0 for no length.
func (s *spans) from(slot int) byte {
	if s.row == nil {
		return 0
	}
	return max(s.row[slot], s.row[slot+s.second])
}

func (h *highest) len() int { return len(h.rows[0]) }
