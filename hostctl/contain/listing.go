package contain

import (
	"errors"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// listing is a folder above a hidden path, with what lies in it beside the way there.
type listing struct {
	path   string
	closed []string // the names that lead to hidden paths
	listed stamp    // of the folder when it was listed; zero to list it again
	beside []int    // descriptors of its other entries
}

// stamp changes with the entries of a folder.
type stamp struct {
	device, inode     uint64
	modified, changed unix.Timespec
}

// maxBeside bounds the entries of a folder that are kept open. Those of a larger folder are opened again
// for each task: a shim may have a thousand descriptors.
const maxBeside = 200

// settled is the age from which a folder's times tell whether it has changed: file systems keep
// them in steps of up to 2 s.
const settled = 2 * time.Second

// allow adds to a ruleset the right to read the entries of the folder that lead to nothing hidden. A
// folder that is gone, or that may not be listed, has none.
func (l *listing) allow(fence int) error {
	now, old := l.stamp()
	if now != l.listed || now == (stamp{}) {
		return l.list(fence, now, old)
	}
	for _, at := range l.beside {
		if err := allow(fence, at, unix.LANDLOCK_ACCESS_FS_READ_FILE); err != nil {
			return err
		}
	}
	return nil
}

// list allows the entries one by one, and keeps them open if there are few enough and the folder has
// been as it is for a while.
func (l *listing) list(fence int, now stamp, old bool) error {
	l.forget()
	d, err := os.Open(l.path)
	if err != nil {
		return nil // then tasks may read nothing in it
	}
	defer d.Close() //nolint:errcheck // read only
	entries, err := d.ReadDir(-1)
	if err != nil {
		return nil // likewise
	}
	keep := old && len(entries) <= maxBeside
	for _, e := range entries {
		if e.Type()&os.ModeSymlink != 0 || slices.Contains(l.closed, e.Name()) {
			continue // what a link leads to counts, not the link
		}
		if err := l.allowEntry(fence, d, e.Name(), keep); err != nil {
			return err
		}
	}
	if keep {
		l.listed = now
	}
	return nil
}

func (l *listing) allowEntry(fence int, d *os.File, name string, keep bool) error {
	at, err := unix.Openat(int(d.Fd()), name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil //nolint:nilerr // it is gone meanwhile
	}
	err = allow(fence, at, unix.LANDLOCK_ACCESS_FS_READ_FILE)
	if errors.Is(err, unix.EBADFD) || errors.Is(err, unix.EINVAL) {
		err = nil // of a kind that Landlock does not restrict
	} else if keep && err == nil {
		l.beside = append(l.beside, at)
		return nil
	}
	return errors.Join(err, unix.Close(at))
}

// stamp returns the folder's stamp, zero if it cannot be had, and whether the folder has been as it is for
// a while.
func (l *listing) stamp() (now stamp, old bool) {
	var st unix.Stat_t
	if unix.Stat(l.path, &st) != nil {
		return stamp{}, false
	}
	changed := time.Unix(max(st.Mtim.Sec, st.Ctim.Sec), 0)
	return stamp{st.Dev, st.Ino, st.Mtim, st.Ctim}, time.Since(changed) > settled+time.Second
}

func (l *listing) forget() {
	for _, at := range l.beside {
		_ = unix.Close(at)
	}
	l.beside, l.listed = nil, stamp{}
}
