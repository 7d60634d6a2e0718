package publish

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// maxMoves bounds the attempts to move a folder while other publishers change the folder.
const maxMoves = 1000

// moveIntoPlace moves a stage's folder to its place in the output. The folder that was there is then
// in the attempt's own folder.
func (o attemptFolder) moveIntoPlace(name string) error {
	for range maxMoves {
		err := unix.Renameat2(o.new.fd(), name, o.output.fd(), name, unix.RENAME_EXCHANGE)
		switch {
		case err == nil:
			return o.putBackForeign(name)
		case errors.Is(err, unix.ENOENT):
			err = o.takeEmptyPlace(name)
		case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
			err = o.moveInTwoSteps(name)
		}
		if !errors.Is(err, errAgain) {
			return o.output.fault("publish", name, err)
		}
	}
	return fmt.Errorf("other processes keep replacing %s/%s: let only lull write there, and publish again", o.output.Name(), name)
}

var errAgain = errors.New("another publisher was faster")

// takeEmptyPlace takes an empty place.
func (o attemptFolder) takeEmptyPlace(name string) error {
	err := unix.Renameat(o.new.fd(), name, o.output.fd(), name)
	switch {
	case errors.Is(err, unix.ENOENT):
		return ErrOvertaken
	case errors.Is(err, unix.ENOTEMPTY), errors.Is(err, unix.EEXIST):
		return errAgain
	case errors.Is(err, unix.ENOTDIR):
		return fmt.Errorf("%s/%s is there already: %w", o.output.Name(), name, ErrForeign)
	}
	return err
}

// moveInTwoSteps serves file systems that cannot exchange two folders (NFS). The place is empty for a
// moment, or, if the machine crashes in that moment, until the next attempt publishes.
func (o attemptFolder) moveInTwoSteps(name string) error {
	if err := o.output.checkOurs(name); err != nil {
		return err
	}
	err := unix.Renameat(o.output.fd(), name, o.old.fd(), name)
	if err != nil && !errors.Is(err, unix.ENOENT) {
		return err
	}
	err = o.takeEmptyPlace(name)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errAgain): // another complete run has taken the place
		return errors.Join(err, o.old.remove(name))
	}
	return errors.Join(err, unix.Renameat(o.old.fd(), name, o.output.fd(), name))
}

// putBackForeign checks the folder that was in the place, which may have been put there a moment ago, and
// puts it back if lull did not write it.
func (o attemptFolder) putBackForeign(name string) error {
	err := o.new.checkOurs(name)
	if !errors.Is(err, ErrForeign) {
		return nil // it may also be unreadable, of another user
	}
	back := unix.Renameat2(o.new.fd(), name, o.output.fd(), name, unix.RENAME_EXCHANGE)
	return errors.Join(fmt.Errorf("%s/%s is there already: %w", o.output.Name(), name, ErrForeign), back)
}

// tidy removes this attempt's folder, and those of earlier attempts of the same job that
// were killed. Other jobs remove their own.
func (d folder) tidy(p Plan) error {
	list, err := d.open(".")
	if err != nil {
		return err
	}
	defer list.Close() //nolint:errcheck // only read
	names, err := list.Readdirnames(-1)
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, prefix(p.Job))
		attempt, bad := strconv.ParseUint(digits, 10, 64)
		if !ok || bad != nil {
			continue
		}
		if attempt == p.Attempt || attempt < p.Attempt && d.isAbandoned(name) {
			err = errors.Join(err, d.discard(p, name))
		}
	}
	return err
}

// isAbandoned reports whether the lock of an attempt's folder is free: the attempt has ended.
func (d folder) isAbandoned(name string) bool {
	f, err := d.open(name)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // it also releases the lock
	err = unix.Flock(f.fd(), unix.LOCK_EX|unix.LOCK_NB)
	return !errors.Is(err, unix.EWOULDBLOCK)
}
