package contain

import (
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// Hidden are folders and files that tasks may not read. Landlock has no rule that forbids: a ruleset
// lists what is allowed. So Hidden allows what lies beside each of them, and beside each folder above.
//
// It keeps that open from one task to the next, and lists a folder again when it has changed: opening
// takes longer than all else. It is for one goroutine.
type Hidden struct {
	paths  []string // as the caller named them
	mounts int      // descriptor of mountinfo, on which the kernel reports new mounts; -1 for none
	above  []*listing
}

// Hide prepares to hide paths, which are absolute and have no links: see Resolve.
func Hide(paths []string) *Hidden {
	h := &Hidden{paths: slices.Clone(paths)}
	h.mounts, _ = unix.Open(mountinfo, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	h.plan()
	return h
}

const mountinfo = "/proc/self/mountinfo"

// Same reports whether these are the paths that h hides.
func (h *Hidden) Same(paths []string) bool { return h != nil && slices.Equal(h.paths, paths) }

// Close closes what h keeps open.
func (h *Hidden) Close() {
	if h == nil {
		return
	}
	h.forget()
	if h.mounts >= 0 {
		_ = unix.Close(h.mounts)
	}
}

func (h *Hidden) forget() {
	for _, l := range h.above {
		l.forget()
	}
	h.above = nil
}

// plan finds the folders above the paths, and above each further place where a mount shows one of them.
func (h *Hidden) plan() {
	h.forget()
	b, _ := os.ReadFile(mountinfo)
	mounts := parseMounts(string(b))
	var all []string
	for _, path := range h.paths {
		all = append(append(all, path), aliases(path, mounts)...)
	}
	for _, path := range outermost(all) {
		for path != "/" {
			h.close(filepath.Dir(path), filepath.Base(path))
			path = filepath.Dir(path)
		}
	}
}

// close records that a name of a folder leads to what is hidden.
func (h *Hidden) close(folder, name string) {
	i := slices.IndexFunc(h.above, func(l *listing) bool { return l.path == folder })
	if i < 0 {
		i, h.above = len(h.above), append(h.above, &listing{path: folder})
	}
	if l := h.above[i]; !slices.Contains(l.closed, name) {
		l.closed = append(l.closed, name)
	}
}

// outermost returns the paths that lie in no other one.
func outermost(paths []string) []string {
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		return slices.ContainsFunc(paths, func(outer string) bool { return outer != p && Within(outer, p) })
	})
}

// allow adds to a ruleset the right to read all but what is hidden.
func (h *Hidden) allow(fence int) error {
	if h.remounted() {
		h.plan()
	}
	for _, l := range h.above {
		if err := l.allow(fence); err != nil {
			return err
		}
	}
	return nil
}

// remounted reports whether mounts have changed since the last call.
func (h *Hidden) remounted() bool {
	if h.mounts < 0 {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(h.mounts), Events: unix.POLLPRI}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0
}

// Resolve returns paths absolute and without links, each once. Those that are not there yet count as well.
func Resolve(paths []string) (found []string) {
	for _, path := range paths {
		at, err := filepath.Abs(path)
		if path == "" || err != nil {
			continue
		}
		if at = resolve(at); at != "/" && !slices.Contains(found, at) {
			found = append(found, at)
		}
	}
	return found
}

// resolve follows the links of the part of a path that is there.
func resolve(path string) string {
	at, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		return at
	case path == "/":
		return path
	}
	return filepath.Join(resolve(filepath.Dir(path)), filepath.Base(path))
}
