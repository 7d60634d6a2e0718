package shim

import (
	"encoding/binary"
	"fmt"

	"lull/subjects"
)

// maxFrame bounds a message: an argument list and an environment may have
// 2 MiB (ARG_MAX), a list of ranges more.
const maxFrame = 16 << 20

// appendFrame appends a message with its length before it, as four bytes, big-endian.
func appendFrame(b []byte, v any) ([]byte, error) {
	body, err := subjects.Marshal(v)
	if err != nil {
		return b, err
	}
	if len(body) > maxFrame {
		return b, fmt.Errorf("message of %d bytes: at most %d fit", len(body), maxFrame)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	return append(b, body...), nil
}

// cutFrame splits the first whole message off b; ok is false if it is not all
// there yet.
func cutFrame(b []byte) (body, rest []byte, ok bool, err error) {
	if len(b) < 4 {
		return nil, b, false, nil
	}
	n := binary.BigEndian.Uint32(b)
	if n > maxFrame {
		return nil, b, false, fmt.Errorf("message of %d bytes: at most %d are allowed", n, maxFrame)
	}
	if uint32(len(b)-4) < n {
		return nil, b, false, nil
	}
	return b[4 : 4+n], b[4+n:], true, nil
}
