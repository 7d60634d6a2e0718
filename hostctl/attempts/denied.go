package attempts

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"lull/actors/account"
	"lull/hostctl/contain"
)

// refusalForm matches what programs say of a file that they may not open.
var refusalForm = regexp.MustCompile(`(?i)permission denied|\bEACCES\b|read-only file system|\bEROFS\b`)

// pathForm matches an absolute path in such a line, at its beginning or after a space or a quote.
var pathForm = regexp.MustCompile("(?:^|[\\s'\"`‘“(=])(/[^\\s'\"`’”,;:()]+)")

// semaphoreForm matches what Python says of a POSIX semaphore that it may not make: it names no path.
var semaphoreForm = regexp.MustCompile(`\bSemLock\b|\b(?:sem|shm)_open\b`)

// refusedPath returns the path in the last complaint about a missing right in what a task wrote to stderr; "" for none.
// Programs name themselves before what they could not open.
func refusedPath(tail string) string {
	for _, line := range slices.Backward(strings.Split(tail, "\n")) {
		if !refusalForm.MatchString(line) {
			continue
		}
		all := pathForm.FindAllStringSubmatch(line, -1)
		switch {
		case len(all) == 0 && semaphoreForm.MatchString(tail):
			return "/dev/shm/semaphore"
		case len(all) == 0:
			continue
		}
		path := filepath.Clean(all[len(all)-1][1])
		if len(path) > maxRefused || strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return ""
		}
		return path
	}
	return ""
}

// maxRefused bounds a path that a report quotes, in bytes.
const maxRefused = 200

// fencedOff explains a failure in which the fence may have had a part: the task's last words are about a path to which
// its user could write without the fence. It returns "" for all others. write are the paths to which the task may
// write.
func fencedOff(tail string, p contain.Policy, write []string, user account.User) string {
	path := refusedPath(tail)
	if path == "" || p.Mode != contain.Full || p.ABI == 0 {
		return ""
	}
	if hidden := p.Hides(path); hidden != "" && !slices.ContainsFunc(write, func(own string) bool { return contain.Within(own, path) }) {
		return fmt.Sprintf("tasks may neither read nor write lull's own files in %s", hidden)
	}
	if slices.ContainsFunc(write, func(own string) bool { return contain.Within(own, path) }) {
		return ""
	}
	folder := filepath.Dir(path)
	if _, can := user.CanWrite(folder); !can {
		return "" // the fence took nothing from it
	}
	for _, shared := range []string{"/tmp", "/var/tmp"} {
		if contain.Within(shared, path) {
			return fmt.Sprintf("tasks may not write to %s: TMPDIR names a folder of the task's own", shared)
		}
	}
	return fmt.Sprintf("tasks may not write to %s: write to the folder that LULL_OUT or TMPDIR names, or let tasks write there with --task-write %s of the agent", folder, folder)
}
