package integrity

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
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

// stream is what the files of one stream hold.
type stream struct {
	name, dir string
	meta      []byte // meta.inf, nil if it is missing or does not match its checksum
	metaWhy   string // what is wrong with it
	created   time.Time
	blocks    []*block
	first     uint64 // sequence of the first message, 0 if there is none
	firstTime int64  // of it
	firstVoid uint64 // from where it says that all before it is lost, 0 for nothing
	last      uint64 // highest sequence that a message or a note of a deletion names
	time      int64  // of the last message
	gaps      []gap
	// torn is the block that ends in bytes that are no record, nil for none. It
	// is the last one: a write that a power cut stopped looks like this, too.
	torn *block
}

// examine reads a stream's files. see is called with each message.
func examine(dir string, work *int, see func(record)) (*stream, error) {
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

// trimmed passes over messages at the beginning that were deleted: a note at the
// end says so, while their bytes are still there.
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
	seen    uint64 // the highest sequence of a message, or of one that was erased
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

// voidsFrom returns from which sequence on a message says that all up to its own
// are lost, 0 if it says nothing of the kind.
func voidsFrom(r record) uint64 {
	var v subjects.Voided
	if !strings.HasSuffix(r.subject, voidedSubject) || subjects.Unmarshal(r.body, &v) != nil {
		return 0
	}
	return v.From
}

// voided reports whether the stream begins with the word that all from a
// sequence on is lost.
func (s *stream) voided(from uint64) bool { return s.firstVoid != 0 && s.firstVoid <= from }

// withoutDeleted leaves out what was deleted: that is not lost.
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

// readMeta reads the meta data and their checksum.
func (s *stream) readMeta() {
	meta, err := os.ReadFile(filepath.Join(s.dir, metaFile))
	sum, sumErr := os.ReadFile(filepath.Join(s.dir, sumFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.metaWhy = metaFile + " is missing"
	case errors.Is(sumErr, fs.ErrNotExist):
		s.metaWhy = sumFile + " is missing"
	case err != nil || sumErr != nil:
		s.metaWhy = errors.Join(err, sumErr).Error()
	case !bytes.Equal(metaSum(s.name, meta), sum):
		s.metaWhy = metaFile + " does not match " + sumFile
	default:
		s.meta, s.created = meta, createdOf(meta)
	}
}

func metaSum(stream string, meta []byte) []byte {
	h := newHash(stream)
	h.Write(meta)
	return []byte(hex.EncodeToString(h.Sum(nil)))
}

// createdOf is when a stream was made, which tells it from another of its name.
func createdOf(meta []byte) time.Time {
	var m struct {
		Created time.Time `json:"created"`
	}
	_ = json.Unmarshal(meta, &m) // zero is no stream's
	return m.Created
}
