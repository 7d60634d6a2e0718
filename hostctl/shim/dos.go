package shim

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// dosError says that a script's first line ends with \r\n: the kernel looks for an interpreter whose name ends
// with \r.
type dosError struct{ script, first string }

func (e *dosError) Error() string {
	return fmt.Sprintf("%s begins with %q: its lines end with \\r\\n, as on DOS, and no interpreter has such a name; remove the \\r with sed -i 's/\\r$//'", e.script, e.first)
}

func (e *dosError) Unwrap() error { return unix.ENOENT }

// checkScript returns a *dosError for a script of DOS, which stands at path. It reads regular files alone.
func checkScript(path, command string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it is only read
	var first [256]byte
	n, _ := f.Read(first[:])
	line, _, ended := bytes.Cut(first[:n], []byte("\n"))
	if !ended || !bytes.HasPrefix(line, []byte("#!")) || !bytes.HasSuffix(line, []byte("\r")) {
		return nil
	}
	return &dosError{command, string(line)}
}

// isDOS returns a *dosError if a command exists and is a script of DOS.
func (t *Task) isDOS(command string) error {
	return t.Bounds.User.As(func() error {
		path := within(t.Dir, command)
		if !strings.Contains(command, "/") {
			path, _ = searchPath(command, pathOf(t.Env), t.Dir) // none exists: then neither does the script
		}
		return checkScript(path, command)
	})
}
