package lines

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"lull/subjects/spec"
)

// File is what Copy needs of an open file.
type File interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// Open opens an input by its path.
type Open func(path string) (File, error)

// OpenFile opens a file of this machine. It does not wait for the other end of
// a named pipe that was put where the input should be.
func OpenFile(path string) (File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// InputError says that an input cannot be read as it was submitted.
type InputError struct {
	Path string
	Err  error
}

func (e *InputError) Error() string { return fmt.Sprintf("input %s: %v", e.Path, e.Err) }
func (e *InputError) Unwrap() error { return e.Err }

// Check opens each range's file once and compares it with its pin, before a
// task begins to read the first.
func Check(ranges []spec.Range, open Open) error {
	if open == nil {
		open = OpenFile
	}
	for i, r := range ranges {
		if i > 0 && samePin(r, ranges[i-1]) {
			continue
		}
		f, err := openPinned(r, open)
		if err != nil {
			return err
		}
		_ = f.Close() // read only
	}
	return nil
}

func samePin(a, b spec.Range) bool {
	return a.Path == b.Path && a.Size == b.Size && a.MTime == b.MTime
}

// openPinned opens a range's file and refuses one that has changed since
// submission: its cuts would fall elsewhere, and a retry would read other data
// than the attempts before.
func openPinned(r spec.Range, open Open) (File, error) {
	f, err := open(r.Path)
	if err != nil {
		return nil, &InputError{r.Path, reason(err)}
	}
	if err := pinned(f, r); err != nil {
		_ = f.Close() // read only
		return nil, &InputError{r.Path, err}
	}
	return f, nil
}

func pinned(f File, r spec.Range) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return reason(err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("is a %s, not a regular file", info.Mode().Type())
	case info.Size() != r.Size:
		return fmt.Errorf("changed since submission: it has %d bytes, it had %d (submit again)", info.Size(), r.Size)
	case r.MTime != 0 && info.ModTime().UnixNano() != r.MTime:
		return fmt.Errorf("changed since submission: written at %s, it was of %s (submit again)",
			stamp(info.ModTime()), stamp(time.Unix(0, r.MTime)))
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000000000Z") }

// reason strips the path off an error that is told with the path anyway.
func reason(err error) error {
	if pe, ok := err.(*fs.PathError); ok { //nolint:errorlint // only the outermost names our path
		return fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	return err
}
