package publish

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"lull/actors/durable"
)

// writer writes files below a folder, and makes links and empty folders there. It follows no link. It keeps the folder of the last file open, because
// files of one folder come one after the other.
type writer struct {
	top, in folder
	name    string // of in below top; "" for top itself
	batch   *durable.Batch
}

func (w *writer) write(f File, content io.Reader) error {
	if f.Folder {
		_, err := w.enter(f.Path + "/")
		return err
	}
	name, err := w.enter(f.Path)
	if err != nil {
		return err
	}
	if f.Link != "" {
		return w.in.fault("link", name, unix.Symlinkat(f.Link, w.in.fd(), name))
	}
	to, err := w.in.create(name, f.Mode&0o777|0o200)
	if err != nil {
		return err
	}
	sum, err := f.copy(to, content)
	if want := f.manifest().Hash(); err == nil && len(want) > 0 && !bytes.Equal(sum, want) {
		err = ErrDamaged
	}
	if err != nil {
		return errors.Join(fmt.Errorf("copy %s: %w", f.Path, err), to.Close())
	}
	return w.batch.Add(to)
}

// copy writes the bytes of a file, and returns the SHA-256 of those that are not in its holes.
func (f *File) copy(to *os.File, content io.Reader) ([]byte, error) {
	sum, at := sha256.New(), int64(0)
	for _, part := range f.manifest().Extents() {
		if err := f.skip(content, part.Offset-at); err != nil {
			return nil, err
		}
		if _, err := to.Seek(part.Offset, io.SeekStart); err != nil {
			return nil, err
		}
		if _, err := io.CopyN(io.MultiWriter(to, sum), content, part.Length); err != nil {
			return nil, err
		}
		at = part.End()
	}
	err := f.skip(content, f.Size-at)
	if err == nil && f.Holes != nil {
		err = to.Truncate(f.Size)
	}
	return sum.Sum(nil), err
}

// skip passes over a hole.
func (f *File) skip(content io.Reader, n int64) error {
	if f.Dense {
		return nil
	}
	_, err := io.CopyN(io.Discard, content, n)
	return err
}

// enter opens the folder of a path and returns the path's last name.
func (w *writer) enter(file string) (name string, err error) {
	dir, name := path.Split(file)
	if w.in.File == nil || dir != w.name {
		if err := w.leave(); err != nil {
			return "", err
		}
		w.in, w.name = w.top, dir
		for part := range strings.SplitSeq(path.Clean(dir), "/") {
			if part == "." {
				break
			}
			next, err := w.in.make(part)
			if err != nil {
				return "", err
			}
			if err := w.leave(); err != nil {
				return "", errors.Join(err, next.Close())
			}
			w.in = next
		}
	}
	return name, nil
}

// leave adds the open folder to the batch.
func (w *writer) leave() error {
	in := w.in
	w.in = folder{}
	if in.File == nil || in.File == w.top.File {
		return nil
	}
	return w.batch.Add(in.File)
}

func (w *writer) close() error { return errors.Join(w.leave(), w.batch.Add(w.top.File)) }
