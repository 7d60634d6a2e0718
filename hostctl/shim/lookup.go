package shim

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"lull/actors/account"
	"lull/hostctl/environ"
)

// resolveCommand finds the program in the task's own PATH, as sh would. The calling thread has the
// rights of the task's user.
func resolveCommand(argv, env []string, dir string) (string, error) {
	if len(argv) == 0 || argv[0] == "" {
		return "", fmt.Errorf("the command is empty: %w", unix.ENOENT)
	}
	if strings.Contains(argv[0], "/") {
		return argv[0], nil
	}
	return searchPath(argv[0], pathOf(env), dir)
}

func pathOf(env []string) string {
	path := environ.DefaultPath
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, "PATH="); ok {
			path = value
		}
	}
	return path
}

// searchPath looks for a command in the folders of path. Folders that the user may not enter are
// passed over, as sh passes over them, and named if the command is in no other. A file that may
// not be executed is an error only if no later folder has the command.
func searchPath(name, path, dir string) (string, error) {
	var denied error
	var closed []string
	for _, entry := range filepath.SplitList(path) {
		at := filepath.Join(within(dir, entry), name)
		isFile, err := program(at)
		switch {
		case err == nil:
			return at, nil
		case isFile:
			denied = fmt.Errorf("%s: %w", at, err)
		case errors.Is(err, unix.EACCES):
			closed = append(closed, entry)
		}
	}
	if denied != nil {
		return "", denied
	}
	return "", &absentError{path, closed}
}

// absentError says that no folder of a PATH has a command.
type absentError struct {
	path   string
	closed []string // folders of it that tasks may not enter
}

func (e *absentError) Error() string {
	text := "it is in no folder of PATH=" + e.path
	if len(e.closed) > 0 {
		text += ", of which tasks may not enter " + strings.Join(e.closed, ", ")
	}
	return text
}

func (e *absentError) Unwrap() error { return unix.ENOENT }

// within is a path as a process sees it that runs in dir.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// program returns nil for a file that may be executed. isFile distinguishes a file without that
// right from one that is missing, or in a folder that may not be entered. A folder is no file.
func program(path string) (isFile bool, err error) {
	var stat unix.Stat_t
	if err := unix.Stat(path, &stat); err != nil {
		return false, err
	}
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		return false, unix.EISDIR
	}
	return true, account.CheckAccess(path, unix.X_OK)
}

// missing returns ENOENT or EACCES if a shell cannot find its command, or may not execute it.
func missing(command string, env []string, dir string) error {
	if !strings.Contains(command, "/") {
		path, err := searchPath(command, pathOf(env), dir)
		if err == nil {
			err = checkScript(path, command)
		}
		return err
	}
	isFile, err := program(within(dir, command))
	if isFile && err == nil {
		return checkScript(within(dir, command), command)
	}
	if isFile || err == nil || !errors.Is(err, unix.ENOTDIR) {
		return err
	}
	return unix.ENOENT // a file stands where a folder was expected
}

func notFound(command string, err error) string {
	return fmt.Sprintf("command not found on this host: %q (%v): install it there, or set PATH in the stage's env", command, err)
}

func notExecutable(command string, err error, t *Task) string {
	return fmt.Sprintf("command %q may not be executed: %v%s", command, err, t.asWhom())
}
