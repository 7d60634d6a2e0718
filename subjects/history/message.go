package history

import (
	"fmt"
	"strings"

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

// The forms of the last token of a block's subject, in UTC. Names sort by time.
const (
	minuteForm = "200601021504"
	hourForm   = "2006010215"
)

// Name is the last token of a block's subject. An agent's block has the minute in which its first
// sample begins. An agent with a new data folder does not have its earlier samples of that day, and
// must not replace their block. A block of an import has the first hour of its week.
func (b *Block) Name() string {
	if b.Origin == Import {
		return TimeOf(WeekOf(b.From)).Format(hourForm)
	}
	return TimeOf(b.From).Format(minuteForm)
}

// hasName reports whether a name is the block's. Agents of earlier versions gave the hour.
func (b *Block) hasName(name string) bool {
	return name == b.Name() || b.Origin == Agent && name == TimeOf(b.From).Format(hourForm)
}

// WeekOf is the first slot of the week of a slot. Weeks are those of Unix time: they begin on
// Thursdays.
func WeekOf(slot int64) int64 { return slot - modulo(slot, int64(PerWeek)) }

// DayOf is the first slot of the UTC day of a slot.
func DayOf(slot int64) int64 { return slot - modulo(slot, int64(PerDay)) }

func modulo(a, b int64) int64 { return ((a % b) + b) % b }

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
	if want := (map[Origin]string{Agent: "history", Import: "past"})[b.Origin]; tokens[0] != want || !b.hasName(tokens[2]) {
		return tokens[1], fmt.Errorf("%s: %w: it holds the block %s of origin %d", subject, ErrGarbage, b.Name(), b.Origin)
	}
	begin := WeekOf(b.From) + int64(PerWeek)
	if b.Origin == Agent {
		begin = DayOf(b.From) + int64(PerDay)
	}
	if b.End() > begin {
		return tokens[1], fmt.Errorf("%s: %w: it extends beyond its day or week", subject, ErrGarbage)
	}
	return tokens[1], nil
}

// SlotSet is a set of slots: those of which a reader has a sample already.
type SlotSet struct {
	from int64
	bits []uint64
}

// NewSlotSet returns an empty set for slots from a time to another.
func NewSlotSet(from, to int64) *SlotSet {
	return &SlotSet{from: from, bits: make([]uint64, (max(to-from, 0)+63)/64)}
}

// Add adds a slot and reports whether it is new. A slot outside of the set's times is not.
func (s *SlotSet) Add(slot int64) (added bool) {
	i := slot - s.from
	if i < 0 || i >= int64(len(s.bits))*64 {
		return false
	}
	bit := uint64(1) << (i % 64)
	added = s.bits[i/64]&bit == 0
	s.bits[i/64] |= bit
	return added
}
