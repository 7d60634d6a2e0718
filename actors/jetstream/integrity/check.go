package integrity

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lull/subjects"
)

// Config names the store to check and says how.
type Config struct {
	// Store is the folder with a folder for each account. Required.
	Store string
	// Mark is the file that Mark.Save wrote.
	Mark string
	// Aside is the folder to which files are copied before they are changed.
	Aside string
	// Repair allows Check to repair a store that has lost messages.
	Repair bool
	// Again makes the jobs of the inbox run again when the whole log is lost.
	Again bool
	// Remedy is the command that repairs, for the error's text.
	Remedy string
	// Seen are entries of logs that are known from elsewhere, such as the snapshot
	// of this machine's agent, by stream.
	Seen map[string]Entry
	// Tell is called with a text for each damage that was repaired. Required.
	Tell func(text string)
}

// Entry is an entry of the log that was created at a time.
type Entry struct {
	Created time.Time
	Seq     uint64
}

// skipSequences is the number of sequences to skip after the last known one when later ones may have been
// given out. The mark is at most half a second old, and the server writes some ten thousand
// messages a second with an fsync for each.
const skipSequences = 10_000

// Check reads the whole store and repairs what it can. The error is a *LossError if
// messages are lost that the snapshots do not cover.
func Check(cfg Config) error {
	c := &check{Config: cfg, streams: map[string]*stream{}, snapshots: map[subjects.Pool]*snapshots{}, work: healWork}
	var err error
	if c.mark, err = LoadMark(cfg.Mark); err != nil {
		c.reportf("%v: losses at the end of the store go unnoticed this time", err)
	}
	if err := c.examine(); err != nil {
		return fmt.Errorf("check the store: %w", err)
	}
	for _, name := range c.names() {
		c.planStream(name)
	}
	if len(c.lost) > 0 && !cfg.Repair {
		return &LossError{c.lost, cfg.Remedy}
	}
	for _, step := range c.steps {
		if err := step.do(); err != nil {
			return fmt.Errorf("repair the store: %w", err)
		}
		c.reportf("%s", step.text)
	}
	return nil
}

// check is one pass over a store.
type check struct {
	Config
	mark      Mark
	streams   map[string]*stream // by account/streams/name
	snapshots map[subjects.Pool]*snapshots
	work      int
	lost      []Lost
	steps     []step
}

// step is a change of files, with the text that reports it.
type step struct {
	text string
	do   func() error
}

func (c *check) plan(do func() error, format string, args ...any) {
	c.steps = append(c.steps, step{fmt.Sprintf(format, args...), do})
}

func (c *check) reportf(format string, args ...any) { c.Tell(fmt.Sprintf(format, args...)) }

// examine reads the streams that are there.
func (c *check) examine() error {
	dirs, err := filepath.Glob(filepath.Join(c.Store, "*", "streams", "*"))
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || strings.HasPrefix(filepath.Base(dir), ".") {
			continue // the server removes folders that begin with a dot
		}
		key, err := filepath.Rel(c.Store, dir)
		if err != nil {
			return err
		}
		see := func(record) {}
		if pool, ok := snapshotsOf(filepath.Base(dir)); ok {
			c.snapshots[pool] = newSnapshots()
			see = c.snapshots[pool].note
		}
		if c.streams[key], err = examineStream(dir, &c.work, see); err != nil {
			return err
		}
	}
	return nil
}

// names lists the streams on disk and those of the mark.
func (c *check) names() []string {
	var names []string
	for key := range c.streams {
		names = append(names, key)
	}
	for key := range c.mark.Streams {
		if c.streams[key] == nil {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
}

// planStream plans the repair of a stream.
func (c *check) planStream(key string) {
	s, seen := c.streams[key], c.mark.Streams[key]
	if s == nil {
		dir := filepath.Join(c.Store, key)
		s = &stream{name: filepath.Base(dir), dir: dir, metaWhy: "the folder is missing"}
	}
	pool, isLog := logOf(s.name)
	inPool, isInbox := inboxOf(s.name)
	empty := len(s.blocks) == 0 && seen.Last == 0
	switch {
	case s.meta == nil && !isLog && !isInbox && len(s.blocks) == 0:
		if seen.Last > 0 {
			c.plan(noChange, "stream %s is gone: it begins anew", s.name)
		}
		return
	case s.meta == nil && empty:
		return // the server was killed while it made the stream
	case s.meta == nil:
		if c.restoreMeta(s, seen); s.meta == nil {
			return
		}
	}
	c.planHealed(s)
	switch {
	case isLog:
		c.planLog(pool, s, seen)
	case isInbox:
		c.planInbox(inPool, s, seen)
	default:
		c.planOther(s)
	}
}

func noChange() error { return nil }

// planHealed plans to write back the bytes that scan corrected.
func (c *check) planHealed(s *stream) {
	for _, b := range s.blocks {
		for _, f := range b.fixed {
			c.plan(noChange, "%s: byte %d was %#02x and is %#02x again, as its checksum says: a disk or memory has changed it", b.path, f.at, f.was, f.now)
		}
		if len(b.fixed) > 0 {
			c.plan(b.repair, "%s: nothing is lost in it", b.path)
		}
	}
}

func poolOf(stream string) string {
	for _, of := range []func(string) (subjects.Pool, bool){logOf, inboxOf, snapshotsOf} {
		if pool, ok := of(stream); ok {
			return string(pool)
		}
	}
	return stream
}

func when(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns)
}
