package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// MaxDepth is how deep arrays and maps may nest. lull's deepest message has
// seven levels. Each level costs the decoder some 500 bytes of stack.
const MaxDepth = 32

// Errors of Scan.
var (
	ErrShort    = errors.New("the message ends too early: a length in it is larger than what is left")
	ErrDeep     = fmt.Errorf("the message nests deeper than %d levels", MaxDepth)
	ErrTrailing = errors.New("the message goes on after its end")
	ErrCode     = errors.New("the message holds the byte c1, which msgpack does not use")
)

// Scan checks that b is exactly one msgpack value in which every length is
// backed by bytes and nothing nests deeper than MaxDepth. It takes time linear
// in len(b) and allocates nothing.
func Scan(b []byte) error {
	var open [MaxDepth + 1]int // values still missing at each level
	depth := 0
	for open[0] = 1; depth >= 0; {
		if open[depth] == 0 {
			depth--
			continue
		}
		open[depth]--
		head, skip, inner, err := value(b)
		if err != nil {
			return err
		}
		if skip > len(b)-head || inner > len(b)-head {
			return ErrShort
		}
		b = b[head+skip:]
		if inner == 0 {
			continue
		}
		if depth++; depth > MaxDepth {
			return ErrDeep
		}
		open[depth] = inner
	}
	if len(b) > 0 {
		return ErrTrailing
	}
	return nil
}

// value reads the head of the value at the start of b: how many bytes the head has, how many bytes
// of payload follow, and how many values are inside.
func value(b []byte) (head, skip, inner int, err error) {
	if len(b) == 0 {
		return 0, 0, 0, ErrShort
	}
	switch c := b[0]; {
	case c <= 0x7f || c >= 0xe0: // small integers
		return 1, 0, 0, nil
	case c <= 0x8f:
		return 1, 0, 2 * int(c&0x0f), nil
	case c <= 0x9f:
		return 1, 0, int(c & 0x0f), nil
	case c <= 0xbf:
		return 1, int(c & 0x1f), 0, nil
	case c == 0xc1:
		return 0, 0, 0, ErrCode
	default:
		return sized(b, shapes[c-0xc0])
	}
}

// shape describes what follows the first byte of a value, for first bytes from c0 to df.
type shape struct {
	width int // bytes of the length field
	fixed int // bytes of payload beside what the length says
	unit  int // values inside per unit of length; 0: the length counts bytes
}

// shapes has the shape of each first byte, less c0. The others are single bytes: nil, false and true.
var shapes = [32]shape{
	0x04: {1, 0, 0}, 0x05: {2, 0, 0}, 0x06: {4, 0, 0}, // bin
	0x07: {1, 1, 0}, 0x08: {2, 1, 0}, 0x09: {4, 1, 0}, // ext: a type byte and the payload
	0x0a: {0, 4, 0}, 0x0b: {0, 8, 0}, // float
	0x0c: {0, 1, 0}, 0x0d: {0, 2, 0}, 0x0e: {0, 4, 0}, 0x0f: {0, 8, 0}, // uint
	0x10: {0, 1, 0}, 0x11: {0, 2, 0}, 0x12: {0, 4, 0}, 0x13: {0, 8, 0}, // int
	0x14: {0, 2, 0}, 0x15: {0, 3, 0}, 0x16: {0, 5, 0}, 0x17: {0, 9, 0}, 0x18: {0, 17, 0}, // fixext
	0x19: {1, 0, 0}, 0x1a: {2, 0, 0}, 0x1b: {4, 0, 0}, // str
	0x1c: {2, 0, 1}, 0x1d: {4, 0, 1}, // array
	0x1e: {2, 0, 2}, 0x1f: {4, 0, 2}, // map
}

func sized(b []byte, s shape) (head, skip, inner int, err error) {
	head = 1 + s.width
	if len(b) < head {
		return 0, 0, 0, ErrShort
	}
	n := length(b[1:head])
	if n > uint64(len(b)) { // also keeps n·unit within an int
		return 0, 0, 0, ErrShort
	}
	if s.unit > 0 {
		return head, 0, int(n) * s.unit, nil
	}
	return head, int(n) + s.fixed, 0, nil
}

// length reads a length field, which may be empty.
func length(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.BigEndian.Uint16(b))
	case 4:
		return uint64(binary.BigEndian.Uint32(b))
	}
	return 0
}
