package integrity

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lull/subjects"
)

// edits are what is to be changed in the blocks of a stream: bytes that are no
// record go, and an entry Voided stands for each gap of a log.
type edits struct {
	stream *stream
	pool   subjects.Pool
	aside  string
	inbox  bool
	voids  []insertion
	tail   []record // in a block of their own
}

type insertion struct {
	block  *block
	at     int
	record record
}

// void puts an entry before the one behind a gap, and if the stream begins with the
// gap one where it begins: a reader compares its snapshot with that.
func (e *edits) void(g gap, inbox uint64) {
	for _, r := range e.entries(g, inbox) {
		e.voids = append(e.voids, insertion{g.block, g.at, r})
	}
}

// end does so at the end, room sequences behind the last that is known.
func (e *edits) end(g gap, room, inbox uint64) {
	g.to += room
	e.tail = e.entries(g, inbox)
}

func (e *edits) entries(g gap, inbox uint64) (entries []record) {
	at := max(g.since, g.until, 1)
	if first := e.stream.first; (first == 0 || g.from < first) && g.from < g.to {
		entries = append(entries, e.voided(g.from, g.from, at, inbox))
	}
	return append(entries, e.voided(g.from, g.to, at, inbox))
}

// voided is the record of the last sequence of a gap. In an inbox it is a request
// that nobody answers.
func (e *edits) voided(from, to uint64, at int64, inbox uint64) record {
	r := record{seq: to, time: at, header: []byte("NATS/1.0\r\nLull-Optional: 1\r\n\r\n")}
	if e.inbox {
		r.subject = e.pool.Request(subjects.RequestVoid)
		return r
	}
	m, err := subjects.Encode(e.pool, &subjects.Voided{From: from, Inbox: inbox, Why: "lost by the disk"})
	if err != nil {
		panic(err) // nothing in it can be wrong
	}
	r.subject, r.body = m.Subject, m.Body
	return r
}

// text says what is done, "" for nothing.
func (e *edits) text(known uint64) string {
	var parts []string
	for _, b := range e.stream.blocks {
		for _, bad := range b.bad {
			if e.leaves(b, bad) {
				continue
			}
			parts = append(parts, fmt.Sprintf("%d bytes at %d of %s cannot be read and are cut out", bad.to-bad.from, bad.from, filepath.Base(b.path)))
		}
	}
	for _, v := range e.voids {
		parts = append(parts, fmt.Sprintf("what was lost up to %d is passed over", v.record.seq))
	}
	if n := len(e.tail); n > 0 {
		parts = append(parts, fmt.Sprintf("it goes on behind %d, so that nothing lost is taken for something new", e.tail[n-1].seq))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("stream %s: %s. The files as they were are in %s", e.stream.name, strings.Join(parts, "; "), e.aside)
}

// leaves reports whether the server may cut off bytes itself: the end of a stream
// that nobody reads by sequence.
func (e *edits) leaves(b *block, bad span) bool {
	return e.pool == "" && b == e.stream.torn && bad.end
}

// write changes the files. The server makes the index anew.
func (e *edits) write() error {
	for _, b := range e.stream.blocks {
		cut := slices.DeleteFunc(slices.Clone(b.bad), func(s span) bool { return e.leaves(b, s) })
		put := slices.DeleteFunc(slices.Clone(e.voids), func(v insertion) bool { return v.block != b })
		if len(cut)+len(put) == 0 {
			continue
		}
		if err := e.rewrite(b, cut, put); err != nil {
			return err
		}
	}
	if err := e.append(); err != nil {
		return err
	}
	return removeFile(filepath.Join(e.stream.dir, "msgs", indexFile))
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// rewrite replaces a block.
func (e *edits) rewrite(b *block, cut []span, put []insertion) error {
	old, err := os.ReadFile(b.path)
	if err != nil {
		return err
	}
	if err := keep(e.aside, e.stream.name, b.path, old); err != nil {
		return err
	}
	h := newHash(blockName(e.stream.name, b.index))
	var body []byte
	at := 0
	upto := func(to int) { body = append(body, old[at:max(at, to)]...); at = max(at, to) }
	for len(cut)+len(put) > 0 {
		if len(cut) > 0 && (len(put) == 0 || cut[0].from < put[0].at) {
			upto(cut[0].from)
			at, cut = cut[0].to, cut[1:]
			continue
		}
		upto(put[0].at)
		body, put = encode(h, body, put[0].record), put[1:]
	}
	upto(len(old))
	if len(body) == 0 { // an empty block is one that is lost
		return removeFile(b.path)
	}
	return write(b.path, body, true)
}

// append writes the tail as a block of its own.
func (e *edits) append() error {
	if len(e.tail) == 0 {
		return nil
	}
	index := uint32(1)
	if n := len(e.stream.blocks); n > 0 {
		index = e.stream.blocks[n-1].index + 1
	}
	h := newHash(blockName(e.stream.name, index))
	var body []byte
	for _, r := range e.tail {
		body = encode(h, body, r)
	}
	dir := filepath.Join(e.stream.dir, "msgs")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	return write(filepath.Join(dir, fmt.Sprint(index)+blockSuffix), body, true)
}

// keep copies a file as it was before it is changed.
func keep(aside, stream, path string, body []byte) error {
	if err := os.MkdirAll(aside, 0o700); err != nil {
		return err
	}
	return write(filepath.Join(aside, stream+"-"+filepath.Base(path)), body, true)
}
