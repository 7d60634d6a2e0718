package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"lull/subjects/spec"
)

// Place writes the files of a valid bundle into the attempt's working folder, for the task to own.
// Other tasks of the same user may be at work there where tasks are not contained: no path leads out
// of the folder, nothing that stands there is opened, and owners are changed by descriptor. The
// error wraps fs.ErrExist if a file stands there already.
func (f Folder) Place(b *spec.Bundle) error {
	root, err := os.OpenRoot(f.Work()) // a name that only the agent can give to another folder
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing was written
	owner := f.given().owner
	for i := range b.Entries {
		e := &b.Entries[i]
		switch {
		case e.Folder:
			err = owner.placeFolder(root, e)
		case e.Link != "":
			err = root.Symlink(e.Link, e.Path) // its owner does not matter: the folder's may remove it
		default:
			err = owner.placeFile(root, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// placeFolder makes a folder, which another bundle may have made already.
func (o Owner) placeFolder(root *os.Root, e *spec.Entry) error {
	if err := root.Mkdir(e.Path, folderMode); errors.Is(err, os.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	d, err := root.OpenFile(e.Path, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	info, err := d.Stat()
	if err == nil {
		err = o.ownFile(d, info)
	}
	return errors.Join(err, d.Close())
}

func (o Owner) placeFile(root *os.Root, e *spec.Entry) error {
	file, err := root.OpenFile(e.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(e.Body)
	if err == nil {
		err = file.Chmod(os.FileMode(e.Mode))
	}
	if err == nil && o != self() {
		err = file.Chown(o.UID, o.GID)
	}
	return errors.Join(err, file.Close())
}
