package actors

import (
	"context"
	"fmt"
	"time"

	"lull/subjects"
)

// FencedError is an ErrFenced with the last sequence of the fence's subject.
type FencedError struct {
	Last uint64 // sequence of its last message, 0 for none
	Err  error
}

func (f *FencedError) Error() string { return fmt.Sprintf("%v: %v", ErrFenced, f.Err) }

// Is makes it an ErrFenced.
func (f *FencedError) Is(target error) bool { return target == ErrFenced }

// LostTailError says that a log has lost its last entries. The server would give their
// sequences out again, and attempts' ids are sequences, so the shell stops.
type LostTailError struct {
	Stream      string
	Last, Known uint64 // the log's last entry, and the last one that it once had
	How         string // the evidence for Known
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

// Bridged reports whether a log begins with a Voided event that declares everything
// from a sequence on lost. Then a state folded up to that sequence may go on there.
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

// Voids reports whether a message is a Voided event that declares everything from a
// sequence to itself lost. `lull repair` writes it, with its user's consent.
func Voids(pool subjects.Pool, d Delivery, from uint64) bool {
	event, err := subjects.Decode(pool, d.Subject, d.Body)
	voided, ok := event.(*subjects.Voided)
	return err == nil && ok && voided.From <= from
}
