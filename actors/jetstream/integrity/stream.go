package integrity

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lull/subjects"
)

// gap is a range of sequences that are missing between two messages.
type gap struct {
	from, to     uint64
	block        *block // of the message behind it
	at           int    // its offset there
	since, until int64  // times of the messages around it, 0 if not known
}

// stream is the content of one stream's files.
type stream struct {
	name, dir string
	meta      []byte // meta.inf, nil if it is missing or does not match its checksum
	metaWhy   string // what is wrong with it
	created   time.Time
	blocks    []*block
	first     uint64 // sequence of the first message, 0 if there is none
	firstTime int64  // of it
	firstVoid uint64 // From of the first message if that is a Voided, else 0
	last      uint64 // highest sequence of a message or a tombstone
	time      int64  // of the last message
	gaps      []gap
	// torn is the last block if it ends in bytes that are no record, else nil. A
	// write that a power cut stopped looks the same as damage.
	torn *block
}

// examineStream reads a stream's files. see is called with each message.
func examineStream(dir string, work *int, see func(record)) (*stream, error) {
	s := &stream{name: filepath.Base(dir), dir: dir}
	s.readMeta()
	var err error
	if s.blocks, err = blocks(dir); err != nil {
		return nil, err
	}
	w := walk{stream: s, deleted: map[uint64]bool{}}
	for _, b := range s.blocks {
		w.block = b
		err := b.read(s.name, work, func(at int, r record) {
			if r.message() {
				see(r)
			}
			w.note(at, r)
		})
		if err != nil {
			return nil, err
		}
		if n := len(b.bad); n > 0 && b.bad[n-1].end {
			s.torn = b
		} else {
			s.torn = nil
		}
	}
	s.gaps = withoutDeleted(s.gaps, w.deleted)
	w.trimmed()
	return s, nil
}

// trimmed moves the stream's beginning past deleted messages: the server writes a
// tombstone at the end and leaves their bytes in place.
func (w *walk) trimmed() {
	was := w.first
	for w.deleted[w.first] && w.first <= w.seen {
		w.first++
		for _, g := range w.gaps {
			if g.from == w.first {
				w.first = g.to + 1
			}
		}
	}
	if w.first != was {
		w.firstTime, w.firstVoid = 0, 0
	}
	w.gaps = slices.DeleteFunc(w.gaps, func(g gap) bool { return g.to < w.first })
	if w.first > w.seen {
		w.first = 0
	}
}

// walk follows the sequences from record to record, over all blocks.
type walk struct {
	*stream
	block   *block
	seen    uint64 // highest sequence of a message, erased or not
	deleted map[uint64]bool
}

func (w *walk) note(at int, r record) {
	w.last = max(w.last, r.seq)
	switch {
	case r.tomb:
		w.deleted[r.seq] = true
		return
	case w.first == 0:
		w.first, w.firstTime, w.firstVoid = r.seq, r.time, voidsFrom(r)
	case r.seq > w.seen+1 && (voidsFrom(r) == 0 || voidsFrom(r) > w.seen+1):
		w.gaps = append(w.gaps, gap{from: w.seen + 1, to: r.seq - 1, block: w.block, at: at, since: w.time, until: r.time})
	}
	w.seen = max(w.seen, r.seq)
	w.time = max(w.time, r.time)
}

// voidsFrom returns From of a Voided event, 0 for any other message.
func voidsFrom(r record) uint64 {
	var v subjects.Voided
	if !strings.HasSuffix(r.subject, voidedSubject) || subjects.Unmarshal(r.body, &v) != nil {
		return 0
	}
	return v.From
}

// voided reports whether the stream begins with a Voided event that declares everything
// from a sequence on lost.
func (s *stream) voided(from uint64) bool { return s.firstVoid != 0 && s.firstVoid <= from }

// withoutDeleted removes deleted sequences from gaps: those are not lost.
func withoutDeleted(gaps []gap, deleted map[uint64]bool) []gap {
	var left []gap
	for _, g := range gaps {
		inside := make([]uint64, 0)
		for seq := range deleted {
			if g.from <= seq && seq <= g.to {
				inside = append(inside, seq)
			}
		}
		slices.Sort(inside)
		for _, seq := range inside {
			if before := g; before.from < seq {
				before.to = seq - 1
				left = append(left, before)
			}
			g.from = seq + 1
		}
		if g.from <= g.to {
			left = append(left, g)
		}
	}
	return left
}
