package publish

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"lull/actors/durable"
)

// writer writes files below a folder. It keeps the folder of the last file open, because
// files of one folder come one after the other.
type writer struct {
	top, in folder
	name    string // of in below top; "" for top itself
	batch   *durable.Batch
}

func (w *writer) write(f File, content io.Reader) error {
	name, err := w.enter(f.Path)
	if err != nil {
		return err
	}
	to, err := w.in.create(name, f.Mode&0o777|0o200)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.CopyN(io.MultiWriter(to, sum), content, f.Size)
	if err == nil && len(f.Sum) > 0 && !bytes.Equal(sum.Sum(nil), f.Sum) {
		err = ErrDamaged
	}
	if err != nil {
		return errors.Join(fmt.Errorf("copy %s: %w", f.Path, err), to.Close())
	}
	return w.batch.Add(to)
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
