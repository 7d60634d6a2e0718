package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrLocked says that another process has the store folder.
var ErrLocked = errors.New("the data folder is in use by another lull")

// lockFolder locks the folder, because two servers on one store destroy it. The kernel releases the lock
// when the process ends, in whatever way.
func lockFolder(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	path := filepath.Join(dir, "lock")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		file.Close() //nolint:errcheck // nothing was written
		return nil, fmt.Errorf("%w: %s is locked", ErrLocked, path)
	}
	return file, nil
}
