package store

import "golang.org/x/sys/unix"

// bare is the descriptor of an open folder. A shuffle opens tens of thousands of folders with one
// file each, and an os.File costs three system calls and a finalizer more.
type bare int

// openBare opens a folder, and nothing else.
func openBare(path string) (bare, error) { return openBareAt(unix.AT_FDCWD, path) }

// openBareAt opens a folder of an open one, and nothing else.
func openBareAt(at int, name string) (bare, error) {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	return bare(fd), err
}

func (d bare) close() { _ = unix.Close(int(d)) } // nothing was written

// listing is as much as is read of a folder at once: a hundred names or more.
const listing = 4096

// some returns names of the folder without "." and "..", from where it was read to. At its end
// more is false.
func (d bare) some() (names []string, more bool, err error) {
	var b [listing]byte
	n, err := unix.ReadDirent(int(d), b[:])
	if n <= 0 || err != nil {
		return nil, false, err
	}
	_, _, names = unix.ParseDirent(b[:n], -1, nil)
	return names, true, nil
}

// first is some from the folder's beginning on, and more than that where those are none: without
// names the folder is empty.
func (d bare) first() (names []string, err error) {
	if _, err := unix.Seek(int(d), 0, unix.SEEK_SET); err != nil {
		return nil, err
	}
	for more := true; more && len(names) == 0 && err == nil; {
		names, more, err = d.some()
	}
	return names, err
}

// empty reports whether nothing is in the folder.
func (d bare) empty() bool {
	names, err := d.first()
	return err == nil && len(names) == 0
}
