package volume

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Need is what must be free on a volume before something is started on it.
type Need struct {
	Bytes int64
	Files uint64 // inodes
}

// BeginFiles is how many files a new data folder needs. A pool makes some eighty before its first task.
const BeginFiles = 200

// Continue is the need of a data folder that has been used. It is next to nothing: its jobs are to be shown and
// ended also on a full disk, and go on by themselves when there is room.
var Continue = Need{256 << 10, 16}

// ErrUnusable says that a data folder's volume takes no files.
var ErrUnusable = errors.New("nothing can be stored")

// Check returns ErrUnusable if a data folder, which may be missing, lies on a volume that is mounted
// read-only, or has less free than is needed. The error says so in one line, with what to do.
func Check(dir string, need Need) error {
	var s unix.Statfs_t
	if unix.Statfs(nearest(dir), &s) != nil {
		return nil //nolint:nilerr // whoever uses the folder finds out why
	}
	free := int64(s.Bavail) * s.Bsize
	if need == Continue && os.Geteuid() == 0 {
		free = int64(s.Bfree) * s.Bsize // with what the file system reserves for root
	}
	switch {
	case s.Flags&unix.ST_RDONLY != 0:
		return unusable(dir, "its file system is mounted read-only: mount it for writing")
	case free < need.Bytes:
		return unusable(dir, fmt.Sprintf("only %d MB of its disk are free, and lull needs %d MB: free some space", free>>20, max(1, need.Bytes>>20)))
	case s.Files > 0 && s.Ffree < need.Files: // some file systems make inodes as they are needed, and say that they have none
		return unusable(dir, fmt.Sprintf("its disk has room for %d more files (inodes), and lull needs %d: remove some files", s.Ffree, need.Files))
	}
	return nil
}

func unusable(dir, why string) error {
	return fmt.Errorf("%w in the data folder %s: %s, or choose another folder with --data", ErrUnusable, dir, why)
}

// nearest is a folder, or the nearest one above it that exists.
func nearest(dir string) string {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return dir
}
