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
	return fmt.Sprintf("stream %s ends at entry %d, but %s: entries %d to %d are lost. Put the stream back from a backup, or continue without them by `lull repair --nats URL --last %d`",
		l.Stream, l.Last, l.How, l.Last+1, l.Known, l.Known)
}

// firstPatience bounds the wait for the first entry of a log that has one.
const firstPatience = 10 * time.Second

// Bridged reports whether a log begins with a Voided event that declares everything
// from a sequence on lost. Then a state folded up to that sequence may go on there.
func Bridged(ctx context.Context, bus Bus, info LogInfo, from uint64) bool {
	void := FirstVoid(ctx, bus, info)
	return void != 0 && void <= from
}

// FirstVoid returns the first entry that a log's beginning declares lost by a Voided event. It
// returns 0 if the log begins with another event, or cannot be read.
func FirstVoid(ctx context.Context, bus Bus, info LogInfo) uint64 {
	if info.First > info.Last {
		return 0
	}
	ctx, stop := context.WithTimeout(ctx, firstPatience)
	defer stop()
	entries, err := bus.Follow(ctx, info.First, "")
	if err != nil {
		return 0
	}
	select {
	case d := <-entries:
		if event, err := subjects.Decode(bus.Pool(), d.Subject, d.Body); err == nil {
			if voided, ok := event.(*subjects.Voided); ok {
				return voided.From
			}
		}
	case <-ctx.Done():
	}
	return 0
}

// Voids reports whether an event declares everything from a sequence to itself lost.
// `lull repair` writes it, with its user's consent.
func Voids(event subjects.Event, from uint64) bool {
	voided, ok := event.(*subjects.Voided)
	return ok && voided.From <= from
}
