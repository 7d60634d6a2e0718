package cgroup

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Foreign is a file of lull's groups that another program has written.
type Foreign struct {
	File     string `json:"file"`     // path
	Found    string `json:"found"`    // what it showed
	Restored string `json:"restored"` // what it shows now
	Refused  error  `json:"-"`        // why the kernel did not take lull's value again, nil if it did
}

// Restore compares the files of the agent's groups with what lull wrote last, puts back what differs, and
// returns it. A file that the kernel refuses is returned once, and tried again at each call. It skips what
// lull is writing just now, and groups that are gone. It covers limits, caps, weights, cores and controllers,
// not the class (see Gauges.Raised), nor what stands frozen.
//
// It takes a few microseconds a file, but the kernel may take seconds to lower a limit of memory. Calls
// must not overlap.
func (s *Settings) Restore() (found []Foreign) {
	for _, e := range s.list() {
		if f, foreign := e.restore(); foreign {
			found = append(found, f)
		}
	}
	return found
}

func (e *setting) restore() (f Foreign, foreign bool) {
	if !e.mu.TryLock() {
		return f, false
	}
	defer e.mu.Unlock()
	at, found := e.differing()
	if at < 0 {
		e.refused = ""
		return f, false
	}
	wanted := e.shown
	err := e.apply()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENODEV) {
		return f, false // the group has ended
	}
	f = Foreign{File: filepath.Join(string(e.group), e.files[at]), Found: oneLine(found), Restored: oneLine(e.shown[at]), Refused: err}
	if err != nil {
		e.shown = wanted // to be tried again
		foreign, e.refused = e.refused != found, found
		return f, foreign
	}
	e.refused = ""
	return f, e.shown[at] != found // or the kernel itself has changed it: of a core that went offline, for instance
}

// differing returns the number of the first file that shows something else than after lull's write, and
// what that is; -1 if none does. A file stays open, because opening it takes ten times as long as reading it.
// e.mu is held.
func (e *setting) differing() (at int, found string) {
	if e.write == nil {
		return -1, ""
	}
	if e.open == nil {
		for _, file := range e.files {
			e.open = append(e.open, newOpenFile(e.group, file))
		}
	}
	for i := range e.open {
		now, err := e.open[i].read()
		if err != nil { // perhaps of a group that is not the same any more
			now, err = e.open[i].read()
		}
		if err == nil && e.shown[i] != unreadable && string(now) != e.shown[i] {
			return i, string(now)
		}
	}
	return -1, ""
}

// closeFiles closes what differing opened. e.mu is held.
func (e *setting) closeFiles() {
	for i := range e.open {
		e.open[i].close()
	}
	e.open = nil
}

// Close closes the files that Restore keeps open. The groups stay.
func (s *Settings) Close() {
	for _, e := range s.list() {
		e.mu.Lock()
		e.closeFiles()
		e.mu.Unlock()
	}
}

// oneLine is what a file shows, for people.
func oneLine(shown string) string { return strings.Join(strings.Fields(shown), " ") }
