package store

import (
	"time"

	"golang.org/x/sys/unix"
)

const (
	// mostSaved bounds how many entries of a checkpoint folder one look reads, and deepSaved its
	// depth. The agent looks each second, and the task decides what is there.
	mostSaved = 1000
	deepSaved = 16
)

// Saved returns when a file of the checkpoint folder last changed, the zero time if it holds
// none. The change time counts, which a task cannot set and which a rename sets as well. In a
// folder with many files only the first ones are looked at.
func (f Folder) Saved() time.Time {
	s := saved{left: mostSaved}
	if d, err := openBare(f.Checkpoint()); err == nil {
		s.folder(d, 1)
	}
	return s.at
}

// saved finds the last change. The task may replace entries meanwhile by a pipe or a link, so each
// folder is opened relative to the one above, and only as a folder. An unreadable folder counts as
// unchanged.
type saved struct {
	at   time.Time
	left int // entries that may still be looked at
}

// folder looks at the entries of an open folder and closes it.
func (s *saved) folder(d bare, depth int) {
	defer d.close()
	for s.left > 0 {
		names, more, err := d.some()
		if err != nil || !more {
			return
		}
		for _, name := range names[:min(len(names), s.left)] {
			s.left--
			s.entry(d, name, depth)
		}
	}
}

func (s *saved) entry(d bare, name string, depth int) {
	var stat unix.Stat_t
	if unix.Fstatat(int(d), name, &stat, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		if changed := time.Unix(stat.Ctim.Unix()); changed.After(s.at) {
			s.at = changed
		}
	case unix.S_IFDIR:
		if depth == deepSaved {
			return
		}
		if below, err := openBareAt(int(d), name); err == nil {
			s.folder(below, depth+1)
		}
	}
}
