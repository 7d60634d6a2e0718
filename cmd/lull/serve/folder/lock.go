package folder

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// ErrTaken says that another process owns the folder.
var ErrTaken = errors.New("another lull owns this data folder")

// Folder is a data folder that this process owns.
type Folder struct {
	Dir    string
	lock   *os.File
	guests *os.File // see Visit
}

// Take makes dir if it is missing and locks it. The error is ErrTaken if another process owns it.
func Take(dir string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, mode()); err != nil {
		return nil, fmt.Errorf("make the data folder: %w (choose another with --data)", err)
	}
	lock, err := os.OpenFile(lockPath(dir), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the data folder: %w (choose another with --data)", err)
	}
	if err := seizeLock(lock); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), lock.Close())
	}
	guests, err := openGuests(dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the guests of the data folder: %w (choose another with --data)", err), lock.Close())
	}
	f := &Folder{Dir: dir, lock: lock, guests: guests}
	return f, f.Withdraw() // removes the endpoint that a crashed owner may have left
}

// SetUmask sets this process's umask, so that its files and folders do not depend on the umask of the shell or
// unit that started it. With 000 all users could write to some of them; with 077 the tasks' user could not
// enter others.
func SetUmask() { unix.Umask(groupAndOthersWrite) }

// TightenUmask is SetUmask for a process that also writes files for the user that called it: rights that the user's
// umask withholds stay withheld.
func TightenUmask() { unix.Umask(unix.Umask(groupAndOthersWrite) | groupAndOthersWrite) }

const groupAndOthersWrite = 0o022

// mode returns the mode of a new data folder. Root's tasks run as another user, which must reach
// their folders in it; secret files in it have their own modes.
func mode() os.FileMode {
	if os.Geteuid() == 0 {
		return 0o711
	}
	return 0o700
}

// Path is a path inside the folder.
func (f *Folder) Path(elem ...string) string {
	return filepath.Join(append([]string{f.Dir}, elem...)...)
}

// Close withdraws the endpoint and unlocks the folder.
func (f *Folder) Close() error {
	return errors.Join(f.Withdraw(), f.lock.Close(), f.guests.Close())
}

// lockPatience is how long Take waits for a lock. The lock can outlive a killed lull for a moment: a child
// that lull had just forked keeps it until the child executes its program. The time is short, because for
// lull run a taken folder is no error: it connects to the folder's owner.
const lockPatience = 200 * time.Millisecond

// seizeLock takes a lock of the open file description (F_OFD_SETLK). Unlike one of flock(2), it can be
// queried without being taken (see taken). Unlike one that belongs to the process (F_SETLK), it is not lost
// when some other part of the process closes the same file.
func seizeLock(lock *os.File) error {
	for end := time.Now().Add(lockPatience); ; time.Sleep(10 * time.Millisecond) {
		err := unix.FcntlFlock(lock.Fd(), unix.F_OFD_SETLK, whole(unix.F_WRLCK))
		switch {
		case !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EACCES):
			return err
		case time.Now().After(end):
			return ErrTaken
		}
	}
}

// taken reports whether a process of lull owns dir, without taking the lock itself.
func taken(dir string) bool { return locked(lockPath(dir)) }

// locked reports whether a process holds the lock of a file.
func locked(path string) bool {
	lock, err := os.Open(path)
	if err != nil {
		return false
	}
	defer lock.Close() //nolint:errcheck // read only
	ask := whole(unix.F_RDLCK)
	return unix.FcntlFlock(lock.Fd(), unix.F_OFD_GETLK, ask) == nil && ask.Type != unix.F_UNLCK
}

func whole(kind int16) *unix.Flock_t {
	return &unix.Flock_t{Type: kind, Whence: io.SeekStart}
}

func lockPath(dir string) string { return filepath.Join(dir, "lock") }
