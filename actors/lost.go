package actors

import (
	"context"
	"fmt"
	"time"

	"lull/subjects"
)

// FencedError is an ErrFenced that says where the fence's subject ends.
type FencedError struct {
	Last uint64 // sequence of its last message, 0 for none
	Err  error
}

func (f *FencedError) Error() string { return fmt.Sprintf("%v: %v", ErrFenced, f.Err) }

// Is makes it an ErrFenced.
func (f *FencedError) Is(target error) bool { return target == ErrFenced }

// LostTailError says that a log ends before what is known to have been in it. Its server
// would give the sequences between out again, so nothing goes on.
type LostTailError struct {
	Stream      string
	Last, Known uint64 // where it ends, and what was in it
	How         string // how that is known
}

func (l *LostTailError) Error() string {
	return fmt.Sprintf("stream %s ends at entry %d, but %s: entries %d to %d are lost. Put the stream back from a backup, or let the pool go on without them by `lull repair --nats URL --last %d`",
		l.Stream, l.Last, l.How, l.Last+1, l.Known, l.Known)
}

// lostTail is the error for a log that ends before an entry.
func (s *Shell) lostTail(last, known uint64, how string) error {
	return &LostTailError{s.cfg.Bus.Pool().Log(), last, known, how}
}

// firstPatience bounds the wait for the first entry of a log that has one.
const firstPatience = 10 * time.Second

// Bridged reports whether a log begins with the word that all from a sequence on is
// lost: a state of the entry before it may go on there.
func Bridged(ctx context.Context, bus Bus, info LogInfo, from uint64) bool {
	if info.First > info.Last {
		return false
	}
	ctx, stop := context.WithTimeout(ctx, firstPatience)
	defer stop()
	entries, err := bus.Follow(ctx, info.First, "")
	if err != nil {
		return false
	}
	select {
	case d := <-entries:
		return Voids(bus.Pool(), d, from)
	case <-ctx.Done():
		return false
	}
}

// Voids reports whether a message says that what is missing before it is lost, from
// a sequence on: a repair of the store has put it there, and somebody was told.
func Voids(pool subjects.Pool, d Delivery, from uint64) bool {
	event, err := subjects.Decode(pool, d.Subject, d.Body)
	voided, ok := event.(*subjects.Voided)
	return err == nil && ok && voided.From <= from
}
