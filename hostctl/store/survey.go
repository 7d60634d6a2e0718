package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"lull/actors/durable"
	"lull/client/holes"
	"lull/subjects/manifest"
)

// survey walks an output folder and makes the agent the owner of everything in it.
//
// Without a fence, other tasks of the same user can rename entries meanwhile. So survey opens
// every folder from the one above, follows no link, and changes, hashes and syncs by
// descriptors, never again by name.
type survey struct {
	f     Folder
	h     hashing
	m     manifest.Manifest
	batch durable.Batch
}

// maxPath is the longest path that the system opens, with its final zero.
const maxPath = 4096

// maxDepth is how deep folders may be nested in an output, and in a checkpoint that another user takes over. A walk
// has as many open at once, and the tasks of all slots must leave the agent descriptors for everything else.
const maxDepth = 256

func (s *survey) close() {
	s.h.close()
	_ = s.batch.Close() // only after a failure is anything left in it
}

func (s *survey) begin() error {
	top, err := openFolder(unix.AT_FDCWD, s.f.Out(), s.f.Out())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // removed by an earlier commit that found it empty
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP):
		// The task may have replaced its folder.
		info, err := os.Lstat(s.f.Out())
		if err != nil {
			return err
		}
		return fmt.Errorf("%w: the task replaced its output folder LULL_OUT by a %s", ErrOutput, kind(info.Mode()))
	case err != nil:
		return err
	}
	return s.folder(top, "", 0)
}

func openFolder(at int, name, path string) (*os.File, error) {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// folder takes over an open folder, with the path below in the manifest, and walks it in lexical
// order. An empty output folder keeps its owner, for the next task to reuse.
func (s *survey) folder(d *os.File, below string, depth int) error {
	names, err := s.names(d, below == "")
	if depth > maxDepth {
		err = errors.Join(fmt.Errorf("%w in at most %d folders within each other: %.60s… has more", ErrOutput, maxDepth, below), err)
	}
	for _, name := range names {
		if err == nil {
			err = s.entry(d, name, filepath.Join(below, name), depth)
		}
	}
	if err != nil || len(names) == 0 && below == "" {
		return errors.Join(err, d.Close())
	}
	if len(names) == 0 {
		s.m.Files = append(s.m.Files, manifest.File{Path: filepath.ToSlash(below), Folder: true})
	}
	return s.batch.Add(d)
}

// names lists a folder after its owner was changed: from then on no task can add to it.
func (s *survey) names(d *os.File, top bool) ([]string, error) {
	if _, err := d.Readdirnames(1); top && errors.Is(err, io.EOF) {
		return nil, nil
	}
	info, err := d.Stat()
	if err != nil {
		return nil, err
	}
	if !self().has(info) {
		err = errors.Join(self().ownFile(d, info), d.Chmod(folderMode))
	}
	_, serr := d.Seek(0, io.SeekStart)
	names, rerr := d.Readdirnames(-1)
	slices.Sort(names)
	return names, errors.Join(err, serr, rerr)
}

// entry opens an entry of an open folder and adds it to the manifest.
func (s *survey) entry(d *os.File, name, below string, depth int) error {
	path := s.f.Out() + "/" + below
	switch {
	case s.h.ctx.Err() != nil:
		return context.Cause(s.h.ctx)
	case len(path) >= maxPath:
		return fmt.Errorf("%w with paths that the system can open: %.60s… is too long for it (%d bytes)", ErrOutput, below, len(path))
	case !manifest.Plain(name):
		return fmt.Errorf("%w with names in UTF-8 and without line ends: %q is none, rename it", ErrOutput, below)
	}
	at := int(d.Fd())
	file, info, err := openPlain(at, name, path)
	if errors.Is(err, unix.EACCES) && bare(at).admit(name) == nil {
		file, info, err = openPlain(at, name, path)
	}
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return s.strange(at, name, below, err)
	}
	if info.IsDir() {
		return s.folder(file, below, depth+1)
	}
	if s.foreign(info) {
		return errors.Join(fmt.Errorf("%w: %s is a hard link to another user's file, which not all users may read", ErrOutput, below), file.Close())
	}
	if shared(info) {
		if file, info, err = s.detach(at, name, file, info.Mode()); err != nil {
			return err
		}
	}
	return s.adoptFile(file, info, below)
}

// strange takes a link into the manifest. For another entry that is neither file nor folder, or cannot be
// opened, it returns an error.
func (s *survey) strange(at int, name, below string, err error) error {
	var st unix.Stat_t
	if unix.Fstatat(at, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return err
	}
	modes := map[uint32]fs.FileMode{
		unix.S_IFLNK: fs.ModeSymlink, unix.S_IFIFO: fs.ModeNamedPipe, unix.S_IFSOCK: fs.ModeSocket,
		unix.S_IFBLK: fs.ModeDevice, unix.S_IFCHR: fs.ModeDevice,
	}
	mode, ok := modes[st.Mode&unix.S_IFMT]
	switch {
	case !ok:
		return err
	case mode == fs.ModeSymlink:
		return s.addLink(at, name, below)
	}
	return fmt.Errorf("%w: %s is a %s: remove it before the task ends, or make it in the working folder", ErrOutput, below, kind(mode))
}

// addLink adds a link of an open folder to the manifest. Nothing opens what it leads to: its target is
// checked by its names.
func (s *survey) addLink(at int, name, below string) error {
	var b [maxPath]byte
	n, err := unix.Readlinkat(at, name, b[:])
	if err != nil {
		return &fs.PathError{Op: "readlink", Path: below, Err: err}
	}
	f := manifest.File{Path: filepath.ToSlash(below), Link: string(b[:n])}
	switch {
	case manifest.Inside(f.Path, f.Link):
		s.m.Files = append(s.m.Files, f)
		return nil
	case strings.HasPrefix(f.Link, "/"):
		return fmt.Errorf("%w: %s is a symbolic link to the absolute path %.200q: make it relative with ln -sr if that is in LULL_OUT, or copy what it leads to with cp -L", ErrOutput, below, f.Link)
	case !manifest.Plain(f.Link):
		return fmt.Errorf("%w with names in UTF-8 and without line ends: %s is a symbolic link to %.200q, rename that", ErrOutput, below, f.Link)
	}
	return fmt.Errorf("%w: %s is a symbolic link to %.200q, which leads out of LULL_OUT, or by a detour: copy what it leads to with cp -L", ErrOutput, below, f.Link)
}

// adoptFile takes over an open file and hashes it. It removes the permission to write and changes
// the owner, so that the task's user cannot restore it: later tasks get hard links to the file. All
// may read it, whatever the task allowed, and it is a set-user-ID program of no user.
func (s *survey) adoptFile(file *os.File, info fs.FileInfo, below string) error {
	f, err := s.summed(file, info)
	f.Path, f.Mode = filepath.ToSlash(below), uint32(published(info.Mode()))
	mode := f.HostMode()
	if f.Mode&0o004 == 0 {
		mode |= private
	}
	if err == nil {
		err = self().ownFile(file, info)
	}
	if err == nil && mode != info.Mode() {
		err = file.Chmod(mode)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	s.m.Files = append(s.m.Files, f)
	return s.batch.Add(file)
}

// private marks a file that others could not read before it was committed, so that the next commit of its folder finds the
// same mode for its manifest. The bit has no other meaning for files.
const private = fs.ModeSticky

// published is the mode of a file for its manifest: its task's, without the right to write.
func published(mode fs.FileMode) fs.FileMode {
	if mode&private != 0 || mode&0o004 == 0 {
		return mode&0o500 | 0o400
	}
	return mode.Perm()&^0o222 | 0o400
}

// summed returns the size and the hash of an open file. It does not hash large holes.
func (s *survey) summed(file *os.File, info fs.FileInfo) (f manifest.File, err error) {
	data, sparse := holes.Find(file, info.Size())
	if !sparse {
		f.Size, f.Sum, err = s.h.sum(file, info.Size(), nil)
		return f, err
	}
	f.Size, f.Holes = info.Size(), &manifest.Holes{Data: data}
	_, f.Holes.Sum, err = s.h.sum(file, f.Size, append([]manifest.Extent{}, data...))
	return f, err
}

// write writes a file of the agent.
func (s *survey) write(path string, b []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err = f.Write(b); err != nil {
		return errors.Join(err, f.Close())
	}
	return s.batch.Add(f)
}

// above adds the parents of the attempt's folder: a new name is on the disk once its folder
// is synced.
func (s *survey) above() error {
	task := filepath.Dir(s.f.Path)
	stage := filepath.Dir(task)
	for _, path := range []string{s.f.Path, task, stage, filepath.Dir(stage), s.f.store.root + "/attempts"} {
		d, err := os.Open(path)
		if err != nil {
			return err
		}
		if err := s.batch.Add(d); err != nil {
			return err
		}
	}
	return nil
}
