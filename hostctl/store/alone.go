package store

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// alone opens a file that has no other name. What has one gives its place to a copy: what
// a task has linked into its output is not its own to make read-only, and whoever has the
// other name could change it later.
func (f Folder) alone(ctx context.Context, path string) (*os.File, fs.FileInfo, error) {
	file, info, err := openPlain(path)
	if err != nil || !shared(info) {
		return file, info, err
	}
	err = f.replace(ctx, path, file, info.Mode())
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, err
	}
	return openPlain(path)
}

func openPlain(path string) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
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

// replace puts a copy of a file in its place.
func (f Folder) replace(ctx context.Context, path string, file *os.File, mode fs.FileMode) error {
	// Outside the output, lest an agent that is killed leave it there.
	spare := f.Path + "/alone"
	to, err := os.OpenFile(spare, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode.Perm())
	if err != nil {
		return err
	}
	if err := errors.Join(duplicate(ctx, to, file), to.Close()); err != nil {
		return err
	}
	return os.Rename(spare, path)
}

// duplicate copies until ctx ends, with what the file system has for it.
func duplicate(ctx context.Context, to, from *os.File) error {
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
