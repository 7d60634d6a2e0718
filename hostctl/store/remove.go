package store

import (
	"errors"
	"io/fs"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxOpen is how many nested folders a removal has open at once.
const maxOpen = 64

// removeTree removes a file, or a folder with all that a task may have left in it. It follows no link. os.RemoveAll
// fails in two cases, and the folder would stay for good:
//   - Folders are nested by the ten thousand. It has all of them open at once, until the agent has no descriptor left
//     for anything else.
//   - A folder lacks the right to write (mode 0500, as in Go's module cache) and the agent is not root.
func removeTree(path string) error {
	r := remover{top: unix.AT_FDCWD}
	if err := r.entry(unix.AT_FDCWD, path, 0); err != nil {
		return &fs.PathError{Op: "remove", Path: path, Err: err}
	}
	return nil
}

type remover struct {
	top   bare // the folder that is removed, once it is open
	moved int  // folders that were moved there
}

// entry removes an entry of an open folder. A folder at the depth of maxOpen is moved to the top instead,
// where contents comes across it later.
func (r *remover) entry(in bare, name string, depth int) error {
	err := in.unlink(name, 0)
	if errors.Is(err, unix.EISDIR) || errors.Is(err, unix.EPERM) {
		err = in.unlink(name, unix.AT_REMOVEDIR)
	}
	switch {
	case err == nil, errors.Is(err, unix.ENOENT):
		return nil
	case !errors.Is(err, unix.ENOTEMPTY) && !errors.Is(err, unix.EEXIST):
		return err
	case depth == maxOpen:
		return r.raise(in, name)
	}
	d, err := openBareAt(int(in), name)
	if errors.Is(err, unix.EACCES) && in.permit(name) == nil {
		d, err = openBareAt(int(in), name)
	}
	if err != nil {
		return err
	}
	if depth == 0 {
		r.top = d
	}
	err = r.contents(d, depth+1)
	d.close()
	if err == nil {
		err = in.unlink(name, unix.AT_REMOVEDIR)
	}
	return err
}

// contents removes all entries of an open folder. It ends when none of those that it sees can be removed.
func (r *remover) contents(d bare, depth int) error {
	for {
		names, err := d.first()
		if err != nil || len(names) == 0 {
			return err
		}
		failed := 0
		for _, name := range names {
			if e := r.entry(d, name, depth); e != nil {
				failed, err = failed+1, e
			}
		}
		if failed == len(names) {
			return err
		}
	}
}

// raise moves a folder to the top.
func (r *remover) raise(in bare, name string) error {
	for permitted := false; ; {
		err := unix.Renameat(int(in), name, int(r.top), "raised-"+strconv.Itoa(r.moved))
		switch {
		case errors.Is(err, unix.ENOTEMPTY), errors.Is(err, unix.EEXIST), errors.Is(err, unix.ENOTDIR): // something has this name
			r.moved++
		case errors.Is(err, unix.EACCES) && !permitted:
			permitted = true
			if err := errors.Join(in.permit(name), unix.Fchmod(int(r.top), 0o700)); err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// unlink removes a name in the folder, if need be with rights that the folder did not give its owner.
func (d bare) unlink(name string, flags int) error {
	err := unix.Unlinkat(int(d), name, flags)
	if errors.Is(err, unix.EACCES) && d != unix.AT_FDCWD && unix.Fchmod(int(d), 0o700) == nil {
		err = unix.Unlinkat(int(d), name, flags)
	}
	return err
}

// admit lets the owner of a file or folder in the folder read it. It follows no link, and leaves a file alone that
// has another name, too.
func (d bare) admit(name string) error {
	fd, err := unix.Openat(int(d), name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd) //nolint:errcheck // nothing was written
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	right := map[uint32]uint32{unix.S_IFREG: 0o400, unix.S_IFDIR: 0o700}[st.Mode&unix.S_IFMT]
	if right == 0 || right == 0o400 && st.Nlink > 1 {
		return unix.EACCES
	}
	return unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), st.Mode&0o777|right)
}

// permit gives the owner of a folder in the folder all rights to it. It follows no link.
func (d bare) permit(name string) error {
	fd, err := unix.Openat(int(d), name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd) //nolint:errcheck // nothing was written
	return unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), 0o700)
}
