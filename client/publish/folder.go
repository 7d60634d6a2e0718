package publish

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// folder is an open folder. Its methods act relative to it, only below it, and follow no
// link.
type folder struct{ *os.File }

const (
	noLinks    = unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS | unix.RESOLVE_BENEATH
	folderMode = 0o755
)

func (d folder) fd() int { return int(d.Fd()) }

// at opens a path below the folder.
func (d folder) at(path string, flags int, mode uint32) (*os.File, error) {
	how := unix.OpenHow{Flags: uint64(flags | unix.O_CLOEXEC | unix.O_NOFOLLOW), Mode: uint64(mode), Resolve: noLinks}
	for {
		fd, err := unix.Openat2(d.fd(), path, &how)
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), filepath.Join(d.Name(), path)), nil
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.EAGAIN): // a rename happened meanwhile
		default:
			return nil, d.fault("open", path, err)
		}
	}
}

func (d folder) fault(what, path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ELOOP):
		err = fmt.Errorf("a symbolic link is in the way: name the real folder (%w)", err)
	case errors.Is(err, unix.ENOSYS):
		err = fmt.Errorf("publishing needs Linux 5.6 (%w)", err)
	}
	return &os.PathError{Op: what, Path: filepath.Join(d.Name(), path), Err: err}
}

// open opens a folder below this one.
func (d folder) open(path string) (folder, error) {
	f, err := d.at(path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	return folder{f}, err
}

func (d folder) mkdir(name string, mode uint32) error {
	return d.fault("make folder", name, unix.Mkdirat(d.fd(), name, mode))
}

// make makes a folder unless it exists, and opens it.
func (d folder) make(name string) (folder, error) {
	if err := d.mkdir(name, folderMode); err != nil && !errors.Is(err, unix.EEXIST) {
		return folder{}, err
	}
	return d.open(name)
}

// create makes a file, which must not exist.
func (d folder) create(name string, mode uint32) (*os.File, error) {
	return d.at(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, mode)
}

func (d folder) has(name string) bool {
	var st unix.Stat_t
	return unix.Fstatat(d.fd(), name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil
}

// remove removes a file, or a folder with everything in it.
func (d folder) remove(name string) error {
	err := unix.Unlinkat(d.fd(), name, 0)
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	if !errors.Is(err, unix.EISDIR) {
		return d.fault("remove", name, err)
	}
	sub, err := d.open(name)
	if err != nil {
		return err
	}
	err = errors.Join(sub.empty(), sub.Close())
	return errors.Join(err, d.fault("remove", name, unix.Unlinkat(d.fd(), name, unix.AT_REMOVEDIR)))
}

func (d folder) empty() (err error) {
	names, err := d.Readdirnames(-1)
	for _, name := range names {
		err = errors.Join(err, d.remove(name))
	}
	return err
}

// isEmpty reports whether nothing is in the folder.
func (d folder) isEmpty() bool {
	_, err := d.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

// openFolder opens an absolute path and makes the missing folders of it.
func openFolder(path string) (folder, error) {
	root, err := os.OpenFile("/", unix.O_PATH|unix.O_DIRECTORY, 0)
	if err != nil {
		return folder{}, err
	}
	d := folder{root}
	defer d.Close() //nolint:errcheck // nothing was written
	below := strings.TrimPrefix(filepath.Clean(path), "/")
	if below == "" {
		return folder{}, fmt.Errorf("output %s: name a folder below it", path)
	}
	out, err := d.open(below)
	if !errors.Is(err, unix.ENOENT) {
		return out, err
	}
	return d.reachMissing(below)
}

// reachMissing makes a missing folder and opens it, after the folders above it, which need not be readable.
func (d folder) reachMissing(path string) (folder, error) {
	parent, name := filepath.Split(path)
	above, err := d.openOrMake(filepath.Clean(parent))
	if err != nil {
		return folder{}, err
	}
	defer above.Close() //nolint:errcheck // nothing was written
	return above.make(name)
}

// openOrMake opens a folder on the way to another one, and makes it if it is missing.
func (d folder) openOrMake(path string) (folder, error) {
	f, err := d.at(path, unix.O_PATH|unix.O_DIRECTORY, 0)
	if !errors.Is(err, unix.ENOENT) {
		return folder{f}, err
	}
	made, err := d.reachMissing(path)
	return made, err
}
