package publish

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors/account"
)

// Marker is the file that says which job wrote a folder.
const Marker = ".lull"

var (
	// ErrForeign says that the place of a result is taken by a folder or file that lull did not write.
	ErrForeign = errors.New("it was not written by lull: move it away, or choose another `output:`")
	// ErrOvertaken says that another attempt of the same job has removed this one's folder.
	ErrOvertaken = errors.New("another attempt of this job publishes")
	// ErrDamaged says that the bytes of a file are not those that its task committed.
	ErrDamaged = errors.New("its bytes are not those that its task committed")
)

// Publish puts a plan's files in place; content delivers their bytes. A repeat, also after a crash, gives
// the same result. Unless before is nil, Publish calls it with the descriptor of the output folder before
// it writes anything. It returns the results of other jobs that these files have replaced.
func Publish(p Plan, content io.Reader, before func(output int) error) ([]Replaced, error) {
	output, err := openFolder(p.Output)
	if err != nil {
		return nil, explainDenied(p, explainFull(p, err))
	}
	defer output.Close() //nolint:errcheck // what was written is synced
	if before != nil {
		if err := before(output.fd()); err != nil {
			return nil, err
		}
	}
	replaced, err := output.publish(p, content)
	return replaced, explainDenied(p, explainFull(p, err))
}

// explainDenied explains a missing right: which user lacks it, and which commands write as another
// user.
func explainDenied(p Plan, err error) error {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, unix.EROFS) {
		return err
	}
	who := account.User{UID: uint32(os.Geteuid()), GID: uint32(os.Getegid())}
	if p.Attempt == 0 { // a client publishes, not a task: it writes as the user that runs it
		return fmt.Errorf("%w: %s may not write to %s: choose a folder where that user may, and fetch the results with `lull outputs %s --to DIR`",
			err, who.Name(), p.Output, p.Job)
	}
	return fmt.Errorf("%w: %s, the user that publishes on this host, may not write to %s: let that user write there, "+
		"or fetch the results with `lull outputs %s --to DIR` or run the job with `lull run`, which write as the user that runs them",
		err, who.Name(), p.Output, p.Job)
}

func (d folder) publish(p Plan, content io.Reader) ([]Replaced, error) {
	for _, s := range p.Stages {
		if err := d.checkOurs(s.Name); err != nil {
			return nil, err
		}
		if err := d.checkOurs(s.Name + previousSuffix); p.Keep && err != nil {
			return nil, err
		}
	}
	o, err := d.begin(p)
	if err == nil {
		err = d.checkRoom(p)
	}
	if err == nil {
		err = o.publish(p, content)
	}
	if err != nil && o.wasRemoved() {
		err = fmt.Errorf("%w (%w)", ErrOvertaken, err)
	}
	return o.replaced, errors.Join(err, d.tidy(p), o.close())
}

// checkOurs returns ErrForeign for a folder without a marker, unless the folder is empty or missing, and for
// anything else that is in its place.
func (d folder) checkOurs(name string) error {
	at, err := d.open(name)
	switch {
	case errors.Is(err, unix.ENOENT):
		return nil
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP): // a file, or a link
	case err != nil:
		return err
	default:
		defer at.Close() //nolint:errcheck // only read
		if at.has(Marker) || at.isEmpty() {
			return nil
		}
	}
	return fmt.Errorf("%s/%s is there already: %w", d.Name(), name, ErrForeign)
}

// lockPatience bounds the wait for the lock of a folder. The wait must end, because any user that may read
// the folder can keep it locked.
const lockPatience = 2 * time.Second

// lock keeps two runs from replacing the folder's stages at the same time, which would mix stages of both.
// After lockPatience it gives up and the run goes on without the lock. Closing the folder releases the lock.
func (d folder) lock() {
	for end := time.Now().Add(lockPatience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if err := unix.Flock(d.fd(), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EWOULDBLOCK) {
			return
		}
	}
}
