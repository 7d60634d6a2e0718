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

// The attempts of a store are entries of one log: in another one the same numbers
// name other attempts, and the same names other jobs.

func logFile(root string) string { return filepath.Join(root, "log") }

// LogOf returns when the log was made whose attempts are kept in a folder, and the
// highest attempt that is kept; zero if neither is known.
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

// BelongTo says which log the store's attempts are entries of, by when it was made.
// If what is kept is of another log, it is moved to a folder beside it, which is
// returned: nothing of it is found any more. It must not run beside other calls.
func (s *Store) BelongTo(created time.Time) (aside string, err error) {
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

// setAside moves the kept attempts, in place of what was moved the last time.
func (s *Store) setAside() (string, error) {
	aside := filepath.Join(s.root, "of-another-log")
	if err := os.RemoveAll(aside); err != nil {
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

// folders are those of attempts that are kept.
var folders = []string{"attempts", "jobs"}
