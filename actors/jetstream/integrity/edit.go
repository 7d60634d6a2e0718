package integrity

import (
	"fmt"
	"path/filepath"
	"strings"

	"lull/subjects"
)

// edits are changes to the blocks of a stream: bytes that are no record are cut out,
// and Voided entries fill each gap of a log.
type edits struct {
	stream *stream
	pool   subjects.Pool
	aside  string // folder with copies of the files before the edits
	inbox  bool
	voids  []insertion
	tail   []record // entries after the last message, in a block of their own
	// below is the stream's first sequence, 0 for no change: remains of earlier
	// messages are cut out, and so are the records of their deletion.
	below uint64
}

// insertion is a record to be inserted at an offset of a block.
type insertion struct {
	block  *block
	at     int
	record record
}

// fillGap inserts the entries that fill a gap, just before the message that follows it.
func (e *edits) fillGap(g gap, inbox uint64) {
	if g.to < e.stream.first {
		e.below = e.stream.first
	}
	for _, r := range e.entries(g, inbox) {
		e.voids = append(e.voids, insertion{g.block, g.at, r})
	}
}

// fillEnd fills a gap at the stream's end, which it first extends by room sequences.
func (e *edits) fillEnd(g gap, room, inbox uint64) {
	g.to += room
	e.tail = e.entries(g, inbox)
}

// stride is the distance of the entries in a long gap. The server looks for the next
// message one sequence after another, at some 10 µs each, so a reader that waits within a
// gap without entries would time out.
const stride = 1000

// entries returns the entries that fill a gap. A gap before the stream's first message
// needs only one: no reader looks within it.
func (e *edits) entries(g gap, inbox uint64) (entries []record) {
	at, from := max(g.since, g.until, 1), g.from
	begins := e.stream.first == 0 || g.from < e.stream.first
	for to := from + stride - 1; !begins && to < g.to; to += stride {
		entries = append(entries, e.voided(from, to, at, 0))
		from = to + 1
	}
	return append(entries, e.voided(from, g.to, at, inbox))
}

// voided is the record at the last sequence of a gap: a Voided event, or in an inbox a
// void request, which admission passes over.
func (e *edits) voided(from, to uint64, at int64, inbox uint64) record {
	r := record{seq: to, time: at, header: []byte("NATS/1.0\r\nLull-Optional: 1\r\n\r\n")}
	if e.inbox {
		r.subject = e.pool.Request(subjects.RequestVoid)
		return r
	}
	m, err := subjects.Encode(e.pool, &subjects.Voided{From: from, Inbox: inbox, Why: "lost by the disk"})
	if err != nil {
		panic(err) // constant but for numbers, so it can always be encoded
	}
	r.subject, r.body = m.Subject, m.Body
	return r
}

// text describes the edits, "" if there are none.
func (e *edits) text() string {
	var parts []string
	for _, b := range e.stream.blocks {
		for _, bad := range b.bad {
			if e.leavesToServer(b, bad) {
				continue
			}
			parts = append(parts, fmt.Sprintf("%d bytes at %d of %s cannot be read and are cut out", bad.to-bad.from, bad.from, filepath.Base(b.path)))
		}
	}
	for i, v := range e.voids {
		if next := e.voids[min(i+1, len(e.voids)-1)]; i+1 < len(e.voids) && next.block == v.block && next.at == v.at {
			continue // the next insertion is of the same gap
		}
		parts = append(parts, fmt.Sprintf("readers skip what was lost up to %d", v.record.seq))
	}
	if n := len(e.tail); n > 0 {
		parts = append(parts, fmt.Sprintf("it continues after %d, so that no sequence of a lost message is used again", e.tail[n-1].seq))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("stream %s: %s. The files as they were are in %s", e.stream.name, strings.Join(parts, "; "), e.aside)
}

// leavesToServer reports whether the edits leave bad bytes to the server, which cuts them off. They
// do so at the end of a stream that is not read by sequence; such edits have no pool.
func (e *edits) leavesToServer(b *block, bad span) bool {
	return e.pool == "" && b == e.stream.torn && bad.end
}
