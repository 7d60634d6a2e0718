package store

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// OpenLog opens what a task wrote to one of its standard streams. A task without a
// fence could have put a link there, or a named pipe without a writer.
func OpenLog(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
}

// Cut says what of a stream is not in its log.
type Cut struct {
	Missing int64  // bytes behind those of the log
	Last    []byte // the last of them
}

// CutPath is where the Cut of a log is, if the log is not whole.
func CutPath(log string) string { return log + ".cut" }

// cutDigits is how many digits a Cut begins with: an update fits where the last one was, on a full disk too.
const cutDigits = 19

// Bytes returns the form in which a Cut is kept.
func (c Cut) Bytes() []byte { return fmt.Appendf(nil, "%0*d\n%s", cutDigits, c.Missing, c.Last) }

// LogCut returns what is missing of a log, nothing if it is whole.
func LogCut(path string) Cut {
	f, err := OpenLog(CutPath(path))
	if err != nil {
		return Cut{}
	}
	defer f.Close() //nolint:errcheck // read only
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return Cut{}
	}
	text, _ := io.ReadAll(io.LimitReader(f, 4<<10))
	number, last, _ := strings.Cut(string(text), "\n")
	missing, _ := strconv.ParseInt(number, 10, 64)
	return Cut{Missing: max(1, missing), Last: []byte(last)} // empty if the disk was full
}

// Tail returns the last whole lines of what a task wrote to a stream, at most n bytes, also if its log is not whole.
func Tail(path string, n int64) string {
	b, whole := logEnd(path, n)
	if cut := LogCut(path); cut.Missing > 0 {
		if int64(len(cut.Last)) < cut.Missing {
			b = nil // there is a gap between them
		}
		b, whole = append(b, cut.Last...), false
		b = b[max(0, int64(len(b))-n):]
	}
	text := string(b)
	if _, after, ok := strings.Cut(text, "\n"); ok && !whole && after != "" {
		text = after
	}
	return strings.ToValidUTF8(strings.TrimRight(text, "\n"), "�")
}

// logEnd returns the last n bytes of a log, and whether these are all.
func logEnd(path string, n int64) (b []byte, whole bool) {
	f, err := OpenLog(path)
	if err != nil {
		return nil, true
	}
	defer f.Close() //nolint:errcheck // read only
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return nil, true
	}
	b = make([]byte, min(n, size))
	if _, err := f.ReadAt(b, size-int64(len(b))); err != nil {
		return nil, true
	}
	return b, size <= n
}
