package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrStopping says that the owner of the folder is stopping and takes no more guests.
var ErrStopping = errors.New("the lull that owns this data folder is stopping: try again")

// Visit notes that this process, a guest, uses the services of the folder's owner. An owner that runs only for
// its own job stays while it has guests. The visit ends with this process, or with leave. The error is ErrStopping
// if the owner takes no guests any more.
//
// A guest holds a read lock of a file, and an owner that stops its write lock, so that the kernel counts them: the
// visit of a process that was killed is over.
func Visit(dir string) (leave func(), err error) {
	// It is no os.File, because the collector would close that once nothing refers to it.
	fd, err := unix.Open(guestsPath(dir), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return func() {}, nil //nolint:nilerr // no owner was here, or it is another user's: Find tells
	}
	leave = func() { _ = unix.Close(fd) } // nothing was written
	switch err := unix.FcntlFlock(uintptr(fd), unix.F_OFD_SETLK, whole(unix.F_RDLCK)); {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES):
		leave()
		return nil, ErrStopping
	case err != nil:
		leave()
		return nil, fmt.Errorf("lock %s: %w", guestsPath(dir), err)
	}
	return leave, nil
}

// CloseToGuests reports whether the folder has no guests. From then on it takes none.
func (f *Folder) CloseToGuests() bool {
	return unix.FcntlFlock(f.guests.Fd(), unix.F_OFD_SETLK, whole(unix.F_WRLCK)) == nil
}

// OpenToGuests undoes CloseToGuests.
func (f *Folder) OpenToGuests() error {
	return unix.FcntlFlock(f.guests.Fd(), unix.F_OFD_SETLK, whole(unix.F_UNLCK))
}

func openGuests(dir string) (*os.File, error) {
	return os.OpenFile(guestsPath(dir), os.O_RDWR|os.O_CREATE, 0o600)
}

func guestsPath(dir string) string { return filepath.Join(dir, "guests") }
