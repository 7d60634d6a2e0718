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
	// below, if it is not 0, is where the stream begins: what is left of earlier
	// messages goes, and the notes that they were deleted.
	below uint64
}

type insertion struct {
	block  *block
	at     int
	record record
}

// void puts an entry before the one behind a gap.
func (e *edits) void(g gap, inbox uint64) {
	if g.to < e.stream.first {
		e.below = e.stream.first
	}
	for _, r := range e.entries(g, inbox) {
		e.voids = append(e.voids, insertion{g.block, g.at, r})
	}
}

// end does so at the end, room sequences behind the last that is known.
func (e *edits) end(g gap, room, inbox uint64) {
	g.to += room
	e.tail = e.entries(g, inbox)
}

// stride is how many sequences are missing in a row at most: a server that is asked
// for the next message tries one after the other, some 10 µs each, and a reader
// that asks within a long gap runs out of patience.
const stride = 1000

// entries are those of a gap. What is lost before the stream's first message is in
// nobody's way: there one stands for all of it.
func (e *edits) entries(g gap, inbox uint64) (entries []record) {
	at, from := max(g.since, g.until, 1), g.from
	begins := e.stream.first == 0 || g.from < e.stream.first
	for to := from + stride - 1; !begins && to < g.to; to += stride {
		entries = append(entries, e.voided(from, to, at, 0))
		from = to + 1
	}
	return append(entries, e.voided(from, g.to, at, inbox))
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
func (e *edits) text() string {
	var parts []string
	for _, b := range e.stream.blocks {
		for _, bad := range b.bad {
			if e.leaves(b, bad) {
				continue
			}
			parts = append(parts, fmt.Sprintf("%d bytes at %d of %s cannot be read and are cut out", bad.to-bad.from, bad.from, filepath.Base(b.path)))
		}
	}
	for i, v := range e.voids {
		if next := e.voids[min(i+1, len(e.voids)-1)]; i+1 < len(e.voids) && next.block == v.block && next.at == v.at {
			continue // of the same gap
		}
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
		cut, err := e.withEarlier(b, cut)
		if err != nil {
			return err
		}
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

// withEarlier adds the records of messages from before the stream's beginning.
func (e *edits) withEarlier(b *block, cut []span) ([]span, error) {
	if e.below == 0 {
		return cut, nil
	}
	work := 0
	err := b.read(e.stream.name, &work, func(at int, r record) {
		if r.seq < e.below {
			cut = append(cut, span{from: at, to: at + r.size})
		}
	})
	slices.SortFunc(cut, func(a, b span) int { return a.from - b.from })
	return cut, err
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
		if len(put) == 0 || len(cut) > 0 && cut[0].from < put[0].at {
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
