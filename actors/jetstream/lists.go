package jetstream

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
)

// ListSweeper drops task lists that no job names, by mark and sweep. A list is a blob of sums,
// each of which names a blob with some of its splits. Equal pieces are shared, because their
// names follow from their content, and a piece stays while any list reaches it. It is not safe
// for concurrent use.
type ListSweeper struct {
	bus   *Bus
	known map[string]*reach // by list
	reads int               // pieces read in this round
}

// reach holds the pieces of a list that were found so far.
type reach struct {
	sums    []string // of its pieces and those below them
	chunks  []byte   // sums of the chunks that are not read yet
	partial bool     // a piece was missing, and may still be put
}

const (
	sweepReads   = 4096 // pieces read in one round, of up to 512 KB
	sweepDeletes = 4096 // pieces dropped in one round, each with a sync of the disk
	// mostChunks bounds the chunks that are read of a list. A list of MaxTasks tasks
	// has a few thousand.
	mostChunks = 1 << 16
)

// ErrUnmarked says that not all lists could be read in one round: the next one goes on,
// and nothing was dropped.
var ErrUnmarked = errors.New("not all task lists are read yet")

// NewListSweeper returns a sweeper that has read no list yet.
func (b *Bus) NewListSweeper() *ListSweeper { return &ListSweeper{bus: b, known: map[string]*reach{}} }

// Due reports whether the lists take more than half of their stream's quota. Before that
// nothing is dropped.
func (w *ListSweeper) Due(ctx context.Context) (bool, error) {
	stream, err := w.bus.js.Stream(ctx, w.bus.pool.Lists())
	if err != nil {
		return false, fmt.Errorf("look at the task lists: %w", connectionError(err))
	}
	info := stream.CachedInfo()
	return info.Config.MaxBytes > 0 && info.State.Bytes > uint64(info.Config.MaxBytes)/2, nil
}

// OldestRequest returns the time of the first message of the inbox from a sequence on, zero if there is
// none, and the creation time of the inbox in the form of Led.Inbox.
func (w *ListSweeper) OldestRequest(ctx context.Context, from uint64) (came time.Time, made int64, err error) {
	info, err := w.bus.InboxInfo(ctx)
	if err != nil {
		return came, 0, err
	}
	err = w.bus.get(ctx, w.bus.pool.Inbox(), query{Seq: max(from, 1), Next: ">"}, func(d actors.Delivery) { came = d.Time })
	if errors.Is(err, errNoMessage) {
		err = nil
	}
	return came, info.Created.UnixNano(), err
}

// Sweep drops the pieces that were put before a time and that none of the lists reaches, and
// returns their number. lists holds the names of the lists, which are sums.
func (w *ListSweeper) Sweep(ctx context.Context, lists map[string]bool, before time.Time) (dropped int, err error) {
	marked, err := w.mark(ctx, lists)
	if err != nil {
		return 0, err
	}
	stream, err := w.bus.js.Stream(ctx, w.bus.pool.Lists())
	if err != nil {
		return 0, fmt.Errorf("sweep the task lists: %w", connectionError(err))
	}
	state := stream.CachedInfo().State
	if state.Msgs == 0 {
		return 0, nil
	}
	garbage, err := w.garbage(ctx, state.LastSeq, marked, before)
	if err != nil {
		return 0, err
	}
	for _, seq := range garbage {
		err := stream.DeleteMsg(ctx, seq) // a piece that was put again has another sequence
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound), errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful):
		case err != nil:
			return dropped, fmt.Errorf("sweep the task lists: %w", connectionError(err))
		default:
			dropped++
		}
	}
	return dropped, nil
}

// mark returns the sums of all pieces that the lists reach.
func (w *ListSweeper) mark(ctx context.Context, lists map[string]bool) (map[string]bool, error) {
	for list, r := range w.known {
		if !lists[list] || r.partial && len(r.chunks) == 0 {
			delete(w.known, list)
		}
	}
	w.reads = 0
	marked := map[string]bool{}
	for list := range lists {
		if err := w.read(ctx, list); err != nil {
			return nil, err
		}
		for _, sum := range w.known[list].sums {
			marked[sum] = true
		}
	}
	return marked, nil
}

// read adds the pieces that a list reaches, from where the last round ended.
func (w *ListSweeper) read(ctx context.Context, list string) error {
	r := w.known[list]
	if r == nil {
		r = &reach{}
		index, err := w.blob(ctx, r, list, mostChunks*sumSize)
		if err != nil {
			return err
		}
		r.chunks, w.known[list] = index, r
	}
	for ; len(r.chunks) >= sumSize; r.chunks = r.chunks[sumSize:] {
		if _, err := w.blob(ctx, r, hex.EncodeToString(r.chunks[:sumSize]), 0); err != nil {
			return err
		}
	}
	return nil
}

// blob adds the pieces of a blob to those that a list reaches, and returns up to most of its
// bytes.
func (w *ListSweeper) blob(ctx context.Context, r *reach, name string, most int) (body []byte, err error) {
	kind, piece, err := w.piece(ctx, r, name)
	if err != nil || kind == pieceLeaf {
		return piece[:min(len(piece), most)], err
	}
	for ; len(piece) >= sumSize; piece = piece[sumSize:] {
		leaf := hex.EncodeToString(piece[:sumSize])
		if len(body) >= most {
			r.sums = append(r.sums, leaf)
			continue
		}
		_, bytes, err := w.piece(ctx, r, leaf)
		if err != nil {
			return nil, err
		}
		body = append(body, bytes...)
	}
	return body[:min(len(body), most)], nil
}

// piece adds one piece and returns its content, which is empty if the piece is missing or
// invalid.
func (w *ListSweeper) piece(ctx context.Context, r *reach, name string) (kind byte, body []byte, err error) {
	if w.reads++; w.reads > sweepReads {
		return 0, nil, ErrUnmarked
	}
	r.sums = append(r.sums, name)
	kind, body, err = w.bus.piece(ctx, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		r.partial = true
		return pieceLeaf, nil, nil
	}
	return kind, body, err
}

// garbage lists the sequences of pieces that are not marked, oldest first.
func (w *ListSweeper) garbage(ctx context.Context, last uint64, marked map[string]bool, before time.Time) (seqs []uint64, err error) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	pieces, err := w.bus.consume(ctx, w.bus.pool.Lists(), 1, jetstream.OrderedConsumerConfig{HeadersOnly: true})
	if err != nil {
		return nil, err
	}
	for d := range pieces {
		if !d.Time.Before(before) || len(seqs) == sweepDeletes {
			return seqs, nil
		}
		if sum := d.Subject[strings.LastIndexByte(d.Subject, '.')+1:]; !marked[sum] {
			seqs = append(seqs, d.Seq)
		}
		if d.Seq >= last || d.Pending == 0 {
			return seqs, nil
		}
	}
	return nil, fmt.Errorf("read the task lists: %w", context.Cause(ctx))
}
