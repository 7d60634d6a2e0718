package lines

import (
	"bytes"
	"fmt"
	"io"

	"lull/subjects/spec"
)

// searchBytes is read at first to find a line end: most lines are short. Each
// further read doubles, for the sake of those that are not.
const searchBytes = 4 << 10

// lineStart returns the offset of the first line that begins at or after byte off. For 0 it returns
// 0. Otherwise it returns the byte after the first line end at or after off−1, or the end of the
// file.
func lineStart(f io.ReaderAt, r spec.Range, off int64) (int64, error) {
	if off <= 0 {
		return 0, nil
	}
	if off >= r.Size {
		return r.Size, nil // nothing begins there, whatever the last byte is
	}
	buf := make([]byte, searchBytes)
	for at := off - 1; at < r.Size; {
		chunk := buf[:min(int64(len(buf)), r.Size-at)]
		n, err := f.ReadAt(chunk, at)
		if i := bytes.IndexByte(chunk[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
		if n == 0 {
			return 0, &InputError{r.Path, fmt.Errorf("read at byte %d: %w", at, unexpected(err))}
		}
		at += int64(n)
		if len(buf) < bufferBytes {
			buf = make([]byte, 2*len(buf))
		}
	}
	return r.Size, nil
}
