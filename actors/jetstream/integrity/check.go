package integrity

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lull/subjects"
)

// Config says which store to check, and how.
type Config struct {
	// Store is the folder with a folder for each account. Required.
	Store string
	// Mark is the file that Mark.Save wrote.
	Mark string
	// Aside is where the files that are changed are copied to before.
	Aside string
	// Repair goes on without what is lost.
	Repair bool
	// Again lets the jobs of the inbox run again when all of the log is lost.
	Again bool
	// Remedy is the command that repairs, for people.
	Remedy string
	// Seen are entries of logs that somebody else knows of, such as this machine's
	// agent, by stream.
	Seen map[string]Entry
	// Tell is told what was wrong and is put right. Required.
	Tell func(text string)
}

// Entry is an entry of a log that was made at a time.
type Entry struct {
	Created time.Time
	Seq     uint64
}

// beyond is how far behind the last known sequence a log goes on when more than
// that may have been given out: the mark is half a second old at most, and with an
// fsync for each the server writes some ten thousand messages a second.
const beyond = 10_000

// Check reads the whole store and puts right what it can. The error is a *LossError
// when something is gone that nothing else knows.
func Check(cfg Config) error {
	c := &check{Config: cfg, streams: map[string]*stream{}, snapshots: map[subjects.Pool]*snapshots{}, work: healWork}
	var err error
	if c.mark, err = LoadMark(cfg.Mark); err != nil {
		c.tell("%v: what the store has lost of late cannot be told this time", err)
	}
	if err := c.examine(); err != nil {
		return fmt.Errorf("check the store: %w", err)
	}
	for _, name := range c.names() {
		c.judge(name)
	}
	if len(c.lost) > 0 && !cfg.Repair {
		return &LossError{c.lost, cfg.Remedy}
	}
	for _, step := range c.steps {
		if err := step.do(); err != nil {
			return fmt.Errorf("repair the store: %w", err)
		}
		c.tell("%s", step.text)
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

// step is a change of files, and what to say of it.
type step struct {
	text string
	do   func() error
}

func (c *check) plan(do func() error, format string, args ...any) {
	c.steps = append(c.steps, step{fmt.Sprintf(format, args...), do})
}

func (c *check) tell(format string, args ...any) { c.Tell(fmt.Sprintf(format, args...)) }

// examine reads the streams that are there.
func (c *check) examine() error {
	dirs, err := filepath.Glob(filepath.Join(c.Store, "*", "streams", "*"))
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || strings.HasPrefix(filepath.Base(dir), ".") {
			continue // the server removes what begins with a dot
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
		if c.streams[key], err = examine(dir, &c.work, see); err != nil {
			return err
		}
	}
	return nil
}

// names lists the streams that are there or were, logs last: what they may lack
// is judged by the snapshots.
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

// judge plans what is to become of a stream.
func (c *check) judge(key string) {
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
			c.plan(nothing, "stream %s is gone: it begins anew", s.name)
		}
		return
	case s.meta == nil && empty:
		return // a stream that was being made
	case s.meta == nil:
		if c.restoreMeta(s, seen); s.meta == nil {
			return
		}
	}
	c.healed(s)
	switch {
	case isLog:
		c.log(pool, s, seen)
	case isInbox:
		c.inbox(inPool, s, seen)
	default:
		c.other(s)
	}
}

func nothing() error { return nil }

// healed plans to write back the bytes that were found.
func (c *check) healed(s *stream) {
	for _, b := range s.blocks {
		for _, f := range b.fixed {
			c.plan(nothing, "%s: byte %d was %#02x and is %#02x again, as its checksum says: a disk or memory has changed it", b.path, f.at, f.was, f.now)
		}
		if len(b.fixed) > 0 {
			c.plan(b.repair, "%s: nothing is lost in it", b.path)
		}
	}
}

// restoreMeta plans to put the meta data back that the mark has kept, or what
// their checksum says that they were. Without either the stream is unknown to the
// server.
func (c *check) restoreMeta(s *stream, seen Witness) {
	meta, from := seen.Meta, "from the copy in "+c.Mark
	if len(meta) == 0 {
		meta, from = guessMeta(s), "as their checksum says that they were"
	}
	why := s.metaWhy
	if len(meta) == 0 {
		c.lost = append(c.lost, Lost{Pool: poolOf(s.name), What: "stream " + s.name, File: filepath.Join(s.dir, metaFile), Why: why + ", and no copy of it is kept"})
		c.plan(func() error { return c.moveAside(s.dir) }, "%s: %s; the stream begins anew, what is left of it is in %s", s.dir, why, c.Aside)
		return
	}
	s.meta, s.created = meta, createdOf(meta)
	c.plan(func() error { return writeMeta(s, meta) }, "%s: %s; the meta data are put back %s", s.dir, why, from)
}

func writeMeta(s *stream, meta []byte) error {
	if err := os.MkdirAll(filepath.Join(s.dir, "msgs"), 0o750); err != nil {
		return err
	}
	return errors.Join(
		write(filepath.Join(s.dir, metaFile), meta, true),
		write(filepath.Join(s.dir, sumFile), metaSum(s.name, meta), true))
}

// guessMeta returns the meta data that the checksum is of, nil if neither can be
// told: they differ from what stands there by one byte, or the checksum does.
func guessMeta(s *stream) []byte {
	meta, err := os.ReadFile(filepath.Join(s.dir, metaFile))
	sum, sumErr := os.ReadFile(filepath.Join(s.dir, sumFile))
	if err != nil || len(meta) > 16<<10 {
		return nil
	}
	if own := metaSum(s.name, meta); sumErr != nil || differ(own, sum) == 1 {
		if createdOf(meta).IsZero() {
			return nil
		}
		return meta
	}
	for at := range meta {
		was := meta[at]
		for _, now := range others(was) {
			if meta[at] = now; bytes.Equal(metaSum(s.name, meta), sum) {
				return meta
			}
		}
		meta[at] = was
	}
	return nil
}

func differ(a, b []byte) (n int) {
	if len(a) != len(b) {
		return len(a)
	}
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// moveAside puts a stream's folder out of the server's sight.
func (c *check) moveAside(dir string) error {
	if err := os.MkdirAll(c.Aside, 0o700); err != nil {
		return err
	}
	return os.Rename(dir, filepath.Join(c.Aside, filepath.Base(dir)))
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
