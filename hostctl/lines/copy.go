package lines

import (
	"errors"
	"fmt"
	"io"
	"math"

	"lull/subjects/spec"
)

// bufferBytes is the unit of reading, and of the search for line ends.
const bufferBytes = 128 << 10

// copySection copies bytes [begin, end). A failed read is an *InputError. A failed write is not, because
// it only means that the task reads no further.
func copySection(w io.Writer, f io.ReaderAt, path string, begin, end int64, buf []byte) (n int64, err error) {
	for at := begin; at < end; {
		chunk := buf[:min(int64(len(buf)), end-at)]
		got, err := f.ReadAt(chunk, at)
		if got == 0 {
			return n, &InputError{path, fmt.Errorf("read at byte %d: %w", at, unexpected(err))}
		}
		wrote, err := w.Write(chunk[:got])
		n += int64(wrote)
		if err != nil {
			return n, err
		}
		at += int64(got)
	}
	return n, nil
}

// endLine writes a line end if bytes [begin, end) have none at their end.
func endLine(w io.Writer, f io.ReaderAt, begin, end int64) (n int64, err error) {
	var last [1]byte
	if begin >= end {
		return 0, nil
	}
	if got, _ := f.ReadAt(last[:], end-1); got == 1 && last[0] == '\n' {
		return 0, nil
	}
	wrote, err := w.Write([]byte{'\n'})
	return int64(wrote), err
}

// unexpected names an end that comes before the pinned size.
func unexpected(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Bounds returns where the range's lines begin and end: [begin, end).
func Bounds(f io.ReaderAt, r spec.Range) (begin, end int64, err error) {
	if r.Offset < 0 || r.Length < 0 || r.Offset > math.MaxInt64-r.Length {
		return 0, 0, &InputError{r.Path, fmt.Errorf("range of %d bytes at %d is not possible", r.Length, r.Offset)}
	}
	if begin, err = lineStart(f, r, r.Offset); err != nil {
		return 0, 0, err
	}
	end, err = lineStart(f, r, r.Offset+r.Length)
	return begin, end, err
}
