package lines

import (
	"errors"
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

// openPinned opens a range's file and refuses one that has changed since submission. The cuts of a
// changed file would fall elsewhere, and a retry would read other data than the attempts before.
func openPinned(r spec.Range, open Open) (File, identity, error) {
	f, err := open(r.Path)
	if err != nil {
		return nil, identity{}, &InputError{r.Path, reason(err)}
	}
	id, err := pinned(f, r)
	if err != nil {
		_ = f.Close() // read only
		return nil, id, &InputError{r.Path, err}
	}
	return f, id, nil
}

// identity distinguishes files, and versions of one file.
type identity struct {
	device, inode uint64
	written       int64 // Unix nanoseconds
}

// ErrChanged is within the error of an input that is not what was submitted: another attempt finds no other.
var ErrChanged = errors.New("since submission")

// pinned compares an open file with its pin.
func pinned(f File, r spec.Range) (id identity, err error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return id, reason(err)
	case !info.Mode().IsRegular():
		return id, fmt.Errorf("is %s, not a regular file", kind(info.Mode()))
	case info.Size() > r.Size && r.Tag != "":
		err = grown(f, info, r, &id)
		return id, err
	case info.Size() < r.Size:
		return id, fmt.Errorf("%s %w: it has %d bytes, it had %d (submit again)", replacedOr("was cut", info, r), ErrChanged, info.Size(), r.Size)
	case info.Size() != r.Size:
		return id, fmt.Errorf("changed %w: it has %d bytes, it had %d (submit again)", ErrChanged, info.Size(), r.Size)
	case r.MTime != 0 && info.ModTime().UnixNano() != r.MTime:
		return id, fmt.Errorf("%s %w: written at %s, it was of %s (submit again)",
			replacedOr("changed", info, r), ErrChanged, stamp(info.ModTime()), stamp(time.Unix(0, r.MTime)))
	}
	id.written = info.ModTime().UnixNano()
	id.name(info)
	return id, nil
}

// name notes which file it is.
func (id *identity) name(info fs.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		id.device, id.inode = st.Dev, st.Ino
	}
}

// same reports whether two looks found one version of a file, or one that only grew. A file that grew has no
// time, because what was pinned of it did not change.
func (id identity) same(now identity) bool {
	return id.device == now.device && id.inode == now.inode && (id.written == now.written || now.written == 0)
}

// grown returns an error unless a file is as it was pinned, with more behind it.
func grown(f File, info fs.FileInfo, r spec.Range, id *identity) error {
	id.name(info)
	tag, err := spec.FileTag(f, id.inode, r.Size)
	switch {
	case err != nil:
		return reason(err)
	case tag != r.Tag:
		return fmt.Errorf("%s %w: it has %d bytes, it had %d, and those are others (submit again)", replacedOr("was written anew", info, r), ErrChanged, info.Size(), r.Size)
	}
	return nil
}

// replacedOr says what became of a file: another one is in its place, as after a rotation, or what else.
func replacedOr(what string, info fs.FileInfo, r spec.Range) string {
	var now identity
	now.name(info)
	if was := spec.InodeOf(r.Tag); was != 0 && was != now.inode {
		return "was replaced by another file (rotated, or copied anew)"
	}
	return what
}

// kind names what is no regular file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000000000Z") }

// reason strips the path from an error, for messages that name the path already.
func reason(err error) error {
	if pe, ok := err.(*fs.PathError); ok { //nolint:errorlint // only the outermost names our path
		return fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	return err
}
