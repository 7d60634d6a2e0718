package history

import (
	"fmt"
	"strings"
	"time"

	"lull/subjects"
)

// Message returns the message of a block of a host.
func Message(pool subjects.Pool, host string, b *Block) subjects.Message {
	subject := pool.OfHistory(host, b.Name())
	if b.Origin == Import {
		subject = pool.OfPast(host, b.Name())
	}
	return subjects.Message{Subject: subject, Body: b.Append(nil)}
}

// nameForm is the form of the last token of a block's subject: a UTC hour. Names sort by time.
const nameForm = "2006010215"

// Name is the last token of a block's subject. An agent's block has the hour of its first sample.
// An agent with a new data folder does not have its earlier samples of that day, and must not
// replace their block. A block of an import has the first hour of its week.
func (b *Block) Name() string {
	if b.Origin == Import {
		return TimeOf(WeekOf(b.From)).Format(nameForm)
	}
	return TimeOf(b.From).Format(nameForm)
}

// WeekOf is the first slot of the week of a slot. Weeks are those of Unix time: they begin on
// Thursdays.
func WeekOf(slot int64) int64 { return slot - modulo(slot, int64(PerWeek)) }

// DayOf is the first slot of the UTC day of a slot.
func DayOf(slot int64) int64 { return slot - modulo(slot, int64(PerDay)) }

func modulo(a, b int64) int64 { return ((a % b) + b) % b }

// NameTime is the hour that a block's name says.
func NameTime(name string) (time.Time, error) {
	t, err := time.ParseInLocation(nameForm, name, time.UTC)
	if err != nil {
		return t, fmt.Errorf("%w: its name %q is no hour such as 2026010100", ErrGarbage, name)
	}
	return t, nil
}

// Read reads a message of the stream of history into b and returns its host. The error wraps
// ErrGarbage if the bytes are no block, or not the one that the subject says.
func Read(pool subjects.Pool, subject string, body []byte, b *Block) (host string, err error) {
	rest, ours := strings.CutPrefix(subject, strings.TrimSuffix(pool.OfHistory("", ""), "history.."))
	tokens := strings.Split(rest, ".")
	if !ours || len(tokens) != 3 {
		return "", fmt.Errorf("%w: subject %q", ErrGarbage, subject)
	}
	if err := subjects.CheckToken("host", tokens[1]); err != nil {
		return "", fmt.Errorf("%w: %w", ErrGarbage, err)
	}
	if err := b.Decode(body); err != nil {
		return tokens[1], fmt.Errorf("%s: %w", subject, err)
	}
	if Message(pool, tokens[1], &Block{Origin: b.Origin, From: b.From}).Subject != subject {
		return tokens[1], fmt.Errorf("%s: %w: it holds the block %s of origin %d", subject, ErrGarbage, b.Name(), b.Origin)
	}
	begin := WeekOf(b.From) + int64(PerWeek)
	if b.Origin == Agent {
		begin = DayOf(b.From) + int64(PerDay)
	}
	if b.End() > begin {
		return tokens[1], fmt.Errorf("%s: %w: it goes on behind its day or week", subject, ErrGarbage)
	}
	return tokens[1], nil
}

// Seen is a set of slots: those of which a reader has a sample already.
type Seen struct {
	from int64
	bits []uint64
}

// NewSeen returns an empty set for slots from a time to another.
func NewSeen(from, to int64) *Seen {
	return &Seen{from: from, bits: make([]uint64, (max(to-from, 0)+63)/64)}
}

// Mark adds a slot and reports whether it is new. A slot outside of the set's times is not.
func (s *Seen) Mark(slot int64) (added bool) {
	i := slot - s.from
	if i < 0 || i >= int64(len(s.bits))*64 {
		return false
	}
	bit := uint64(1) << (i % 64)
	added = s.bits[i/64]&bit == 0
	s.bits[i/64] |= bit
	return added
}
