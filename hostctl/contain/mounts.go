package contain

import (
	"os"
	"path/filepath"
	"strings"
)

// mount is a place where a file system shows a folder of its own, see proc_pid_mountinfo(5).
type mount struct {
	device string // major:minor
	root   string // the folder of the file system
	point  string // where it is seen
}

func parseMounts(text string) (mounts []mount) {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 4 {
			mounts = append(mounts, mount{f[2], unescape(f[3]), unescape(f[4])})
		}
	}
	return mounts
}

// unescape undoes mountinfo's octal escapes of space, tab, newline and backslash.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace

// aliases returns the other places where a path, or a part of what lies below it, is seen: a bind mount
// shows it beside the folders above the path.
func aliases(path string, mounts []mount) (found []string) {
	var of mount
	for _, m := range mounts {
		if Within(m.point, path) && len(m.point) >= len(of.point) {
			of = m // of two at one point the later one is seen
		}
	}
	rest, err := filepath.Rel(of.point, path)
	if err != nil {
		return nil
	}
	inside := filepath.Join(of.root, rest)
	for _, m := range mounts {
		switch {
		case m == of || m.device != of.device:
		case Within(m.root, inside):
			rest, _ := filepath.Rel(m.root, inside)
			if at := filepath.Join(m.point, rest); same(at, path) {
				found = append(found, at)
			}
		case Within(inside, m.root):
			found = append(found, m.point)
		}
	}
	return found
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
