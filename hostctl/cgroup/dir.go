package cgroup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// dir is one cgroup in one hierarchy, by its absolute path.
type dir string

func (d dir) sub(name string) dir { return dir(filepath.Join(string(d), name)) }

func (d dir) exists() bool {
	info, err := os.Stat(string(d))
	return err == nil && info.IsDir()
}

func (d dir) has(file string) bool {
	_, err := os.Stat(filepath.Join(string(d), file))
	return err == nil
}

// write sets a control file. It never creates one: a file that is missing is a
// capability that is missing, and in an ordinary folder the file would stay.
//
// Package os would wait for ever where memory.reclaim says EAGAIN (v2): to it that means
// that the file will be ready later.
func (d dir) write(file, value string) error {
	path := filepath.Join(string(d), file)
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_TRUNC|unix.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	_, err = unix.Write(fd, []byte(value))
	for errors.Is(err, unix.EINTR) {
		_, err = unix.Write(fd, []byte(value))
	}
	if err = errors.Join(err, unix.Close(fd)); err != nil {
		return fmt.Errorf("write %q: %w", value, &fs.PathError{Op: "write", Path: path, Err: err})
	}
	return nil
}

// readFile parses one control file.
func readFile[T any](d dir, file string, parse func(io.Reader) (T, error)) (T, error) {
	var none T
	path := filepath.Join(string(d), file)
	f, err := os.Open(path)
	if err != nil {
		return none, err
	}
	defer f.Close() //nolint:errcheck // read only
	v, err := parse(f)
	if err != nil {
		return none, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// key reads one key of a file of "key number" lines.
func (d dir) key(file, key string) (uint64, error) {
	return readFile(d, file, func(r io.Reader) (uint64, error) { return parseKeyed(r, key) })
}

func (d dir) number(file string) (uint64, error) { return readFile(d, file, parseNumber) }

func (d dir) pids() ([]int, error) { return readFile(d, "cgroup.procs", parsePIDs) }

// make creates the cgroup and its parents and says whether it was missing.
// Another process may remove an empty parent between two steps, when it ends
// or has looked for capabilities; so it is tried again.
func (d dir) make() (created bool, err error) {
	if d.exists() {
		return false, nil
	}
	for range 10 {
		if err = os.MkdirAll(string(d), 0o755); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return err == nil, err
}

// tryChild makes a group inside and removes it again. Its error tells that a group which an agent of
// root left is of no use to another user.
func (d dir) tryChild() error {
	probe, err := os.MkdirTemp(string(d), "probe-")
	if err != nil {
		return err
	}
	return dir(probe).remove()
}

// removeWithin removes a cgroup and the empty ones in it. It returns an error for each that is left.
func (d dir) removeWithin() (left []error) {
	entries, _ := os.ReadDir(string(d))
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if err := d.sub(e.Name()).remove(); err != nil {
			left = append(left, err)
		}
	}
	if err := d.remove(); err != nil {
		left = append(left, err)
	}
	return left
}

// remove removes an empty cgroup. One that is gone already is no error.
func (d dir) remove() error {
	err := unix.Rmdir(string(d))
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	return &fs.PathError{Op: "rmdir", Path: string(d), Err: err}
}
