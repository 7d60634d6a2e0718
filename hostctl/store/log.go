package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The attempts of a store are entries of one log. In another log the same ids name other
// attempts, and the same names other jobs.

func logFile(root string) string { return filepath.Join(root, "log") }

// LogOf returns the creation time of the log whose attempts a folder keeps, and its highest
// attempt. Both are zero if unknown.
func LogOf(root string) (created time.Time, attempt uint64) {
	b, err := os.ReadFile(logFile(root))
	if err != nil {
		return created, 0
	}
	if created, err = time.Parse(time.RFC3339Nano, strings.TrimSpace(string(b))); err != nil {
		return time.Time{}, 0
	}
	kept, err := os.ReadDir(filepath.Join(root, "attempts"))
	if err != nil {
		return created, 0
	}
	for _, e := range kept {
		if id, err := strconv.ParseUint(e.Name(), 10, 64); err == nil {
			attempt = max(attempt, id)
		}
	}
	return created, attempt
}

// BindToLog sets the log that the store's attempts are entries of, by its creation time.
// Attempts of another log are moved to a folder, which it returns, and are no longer found.
// It must not run at the same time as other calls.
func (s *Store) BindToLog(created time.Time) (aside string, err error) {
	text := created.UTC().Format(time.RFC3339Nano)
	b, err := os.ReadFile(logFile(s.root))
	switch was := strings.TrimSpace(string(b)); {
	case err == nil && was == text:
		return "", nil
	case err == nil:
		if aside, err = s.setAside(); err != nil {
			return "", fmt.Errorf("set aside what is kept of another log: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	return aside, writeSynced(logFile(s.root), []byte(text+"\n"))
}

// setAside moves the kept attempts to a folder, and removes those moved there the last time.
func (s *Store) setAside() (string, error) {
	aside := filepath.Join(s.root, "of-another-log")
	if err := removeTree(aside); err != nil {
		return "", err
	}
	if err := os.Mkdir(aside, 0o700); err != nil {
		return "", err
	}
	for _, name := range folders {
		err := errors.Join(os.Rename(filepath.Join(s.root, name), filepath.Join(aside, name)), os.Mkdir(filepath.Join(s.root, name), 0o755))
		if err != nil {
			return "", err
		}
	}
	return aside, nil
}

// folders are the folders of attempts, and of links to them.
var folders = []string{"attempts", "jobs", tempFolder}
