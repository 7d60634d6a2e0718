package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"lull/client/holes"
)

// detach replaces an open file that has other names by a copy, and opens the copy. A task may have
// linked another user's file into its output. That file must not become read-only, and through its other
// name the output could be changed later. at is the folder in which the file is called name.
func (s *survey) detach(at int, name string, file *os.File, mode fs.FileMode) (*os.File, fs.FileInfo, error) {
	defer file.Close() //nolint:errcheck // read only
	// Outside the output, so that an agent that is killed does not leave it there.
	spare := s.f.Path + "/alone"
	to, err := os.OpenFile(spare, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode.Perm())
	if err != nil {
		return nil, nil, err
	}
	err = errors.Join(duplicate(s.h.ctx, to, file), to.Close())
	if err == nil {
		err = unix.Renameat(unix.AT_FDCWD, spare, at, name)
	}
	if err != nil {
		return nil, nil, err
	}
	copied, info, err := openPlain(at, name, file.Name())
	if err == nil && !self().has(info) {
		return nil, nil, errors.Join(fmt.Errorf("%s changes while it is committed", file.Name()), copied.Close())
	}
	return copied, info, err
}

// openPlain opens a name in a folder. It follows no link and does not block on a pipe.
func openPlain(at int, name, path string) (*os.File, fs.FileInfo, error) {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	file := os.NewFile(uintptr(fd), path)
	info, err := file.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// shared reports whether a file has other names, through which it could change. What is
// committed already cannot.
func shared(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	committed := self().has(info) && info.Mode()&0o222 == 0
	return ok && st.Nlink > 1 && !committed
}

// foreign reports whether a file has other names and the task may lack the right to read it. Where
// the kernel does not protect hard links (fs.protected_hardlinks), a task without a fence can link
// such a file into its output, and the agent would read it as root.
func (s *survey) foreign(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1 && !s.f.given().owner.has(info) && info.Mode()&0o004 == 0
}

// duplicate copies until ctx ends, with what the file system has for it. Large holes stay holes.
func duplicate(ctx context.Context, to, from *os.File) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	data, sparse := holes.Find(from, info.Size())
	if !sparse {
		return duplicateAll(ctx, to, from)
	}
	_, err = io.Copy(holes.NewWriter(to, data), reader{ctx, holes.NewReader(from, data), nil})
	return errors.Join(err, to.Truncate(info.Size()))
}

func duplicateAll(ctx context.Context, to, from *os.File) error {
	const piece = 64 << 20
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, err := io.CopyN(to, from, piece); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}
