package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"lull/subjects"
)

// Gone reports whether the output that an attempt committed is no longer on this disk: its
// folder, its manifest, or a file that the manifest lists. If only the link from the attempt's
// id is gone, Gone makes it anew.
//
// Only a file that does not exist, according to the system, counts as gone, and only while the
// store is on the disk on which it was opened. Any other error (a read error, a folder without
// permission, a missing mount) is returned and proves nothing. The output may be back in a minute,
// and making it again would cost its task a retry. A damaged output is not gone either: see Verify.
// A store that was opened on another, empty disk reports all outputs as gone: no reader can get
// those of the old disk from it.
func (s *Store) Gone(t Task, attempt uint64, want subjects.Digest) (bool, error) {
	f := s.Folder(t, attempt)
	err := f.Output().complete(want)
	switch {
	case err == nil && f.linked():
		return false, nil
	case err == nil:
		return false, f.link()
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if err := s.stays(); err != nil {
		return false, err
	}
	return true, nil
}

// complete looks for every file that the manifest lists, and compares sizes.
func (o Output) complete(want subjects.Digest) error {
	m, err := o.Listed(want)
	if err != nil {
		return err
	}
	for _, file := range m.Files {
		info, err := os.Lstat(filepath.Join(o.path, filepath.FromSlash(file.Path)))
		if err == nil {
			err = fits(file, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// disks are the devices of the store's folders, by path.
type disks map[string]uint64

func disksOf(root string) (disks, error) {
	all := disks{}
	for _, path := range []string{root, filepath.Join(root, "jobs")} {
		var st unix.Stat_t
		if err := unix.Stat(path, &st); err != nil {
			return all, &fs.PathError{Op: "stat", Path: path, Err: err}
		}
		all[path] = st.Dev
	}
	return all, nil
}

// stays returns an error unless the store's folders are on the disks on which they were opened.
func (s *Store) stays() error {
	now, err := disksOf(s.root)
	if _, there := now[s.root]; there && errors.Is(err, fs.ErrNotExist) {
		return nil // the store is there, so the missing folder was removed from it
	}
	if err == nil && !maps.Equal(now, s.disks) {
		err = fmt.Errorf("%s is on another disk than when the agent started", s.root)
	}
	return err
}
