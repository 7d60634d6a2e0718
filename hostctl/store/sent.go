package store

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	// mostSent bounds the bytes of files sent along that are kept for later tasks, and sentIdle the
	// time for which they are kept without being used.
	mostSent = 256 << 20
	sentIdle = 24 * time.Hour
)

// openSent makes the folder of what is kept, for the agent alone: tasks of one job should not read
// what another one sent.
func openSent(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	parts, err := filepath.Glob(filepath.Join(path, ".part-*"))
	for _, part := range parts { // of an agent that was killed
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// Sent are the files sent along with jobs that the store keeps for later tasks, as bytes under the
// name of their content. Its methods may be called from several goroutines.
type Sent struct{ folder string }

// Sent returns the files sent along that the store keeps.
func (s *Store) Sent() Sent { return Sent{filepath.Join(s.root, "sent")} }

// Read returns the bytes under a name. The error wraps fs.ErrNotExist if there are none, or if the
// disk has damaged them.
func (s Sent) Read(name string) ([]byte, error) {
	path := s.path(name)
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	at := len(body) - sha256.Size
	if at < 0 || sha256.Sum256(body[:at]) != [sha256.Size]byte(body[at:]) {
		return nil, errors.Join(fmt.Errorf("%s is damaged: %w", path, fs.ErrNotExist), os.Remove(path))
	}
	now := time.Now()
	return body[:at], ignoreGone(os.Chtimes(path, now, now))
}

// Keep keeps bytes under the name of their content, which is a file name, and drops those that
// were used the longest ago where there are too many.
func (s Sent) Keep(name string, body []byte) error {
	sum := sha256.Sum256(body)
	part, err := os.CreateTemp(s.folder, ".part-")
	if err != nil {
		return err
	}
	_, err = part.Write(slices.Concat(body, sum[:]))
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Rename(part.Name(), s.path(name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return s.Sweep(time.Now())
}

// Sweep drops what was not used for a day, and what was used the longest ago as long as there
// is too much.
func (s Sent) Sweep(now time.Time) error {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return err
	}
	var all []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	room := int64(mostSent)
	for _, info := range all {
		if room -= info.Size(); room >= 0 && now.Sub(info.ModTime()) < sentIdle {
			continue
		}
		err = errors.Join(err, ignoreGone(os.Remove(s.path(info.Name()))))
	}
	return err
}

func (s Sent) path(name string) string { return filepath.Join(s.folder, name) }

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
