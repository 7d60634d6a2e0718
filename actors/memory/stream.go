package memory

import (
	"context"
	"time"

	"lull/actors"
)

// stream is a sequence of messages.
type stream struct {
	created time.Time
	first   uint64
	entries []actors.Delivery
	ids     map[string]time.Time // message id → when it was added
	last    map[string]uint64    // subject → last sequence
	grown   chan struct{}        // closed and replaced on every append
}

func newStream() *stream {
	return &stream{
		created: time.Now(), first: 1,
		ids: make(map[string]time.Time), last: make(map[string]uint64), grown: make(chan struct{}),
	}
}

func (s *stream) info() actors.LogInfo {
	return actors.LogInfo{Created: s.created, First: s.first, Last: s.end()}
}

func (s *stream) end() uint64 { return s.first + uint64(len(s.entries)) - 1 }

func (s *stream) add(d actors.Delivery) {
	d.Seq, d.Time, d.Reply = s.end()+1, time.Now(), ""
	s.entries = append(s.entries, d)
	s.last[d.Subject] = d.Seq
}

func (s *stream) announce() {
	close(s.grown)
	s.grown = make(chan struct{})
}

func (s *stream) trim(below uint64) {
	if below <= s.first {
		return
	}
	n := min(below-s.first, uint64(len(s.entries)))
	s.entries = append([]actors.Delivery(nil), s.entries[n:]...)
	s.first += n
	for subject, seq := range s.last {
		if seq < s.first {
			delete(s.last, subject)
		}
	}
}

// window is how many entries a reader takes under one lock.
const window = 256

// after returns the messages from sequence from on that match a filter (all of them without filters),
// at most window of them. It also returns the sequence to continue from, and a channel that is closed
// when the next message is added.
func (s *stream) after(from uint64, filters []string) ([]actors.Delivery, uint64, <-chan struct{}) {
	from = max(from, s.first)
	var found []actors.Delivery
	for ; from <= s.end() && len(found) < window; from++ {
		if d := s.entries[from-s.first]; len(filters) == 0 || matchAny(filters, d.Subject) {
			found = append(found, d)
		}
	}
	for i := range found {
		found[i].Pending = s.end() - found[i].Seq
	}
	return found, from, s.grown
}

// read delivers the messages of a stream from sequence from on, and new ones as they are added, until
// ctx ends. It calls pick before each round, so that it continues in the new stream if the old one was
// replaced.
func (b *Bus) read(ctx context.Context, pick func() *stream, from uint64, filters ...string) <-chan actors.Delivery {
	out := make(chan actors.Delivery)
	go func() {
		defer close(out)
		for ctx.Err() == nil {
			b.mu.Lock()
			found, next, grown := pick().after(from, filters)
			b.mu.Unlock()
			from = next
			if !passOn(ctx, out, found, grown) {
				return
			}
		}
	}()
	return out
}

// passOn sends the messages found. If there are none, it waits until the stream grows. It returns
// false once ctx has ended.
func passOn(ctx context.Context, out chan<- actors.Delivery, found []actors.Delivery, grown <-chan struct{}) bool {
	for _, d := range found {
		select {
		case out <- d:
		case <-ctx.Done():
			return false
		}
	}
	if len(found) > 0 {
		return true
	}
	select {
	case <-grown:
		return true
	case <-ctx.Done():
		return false
	}
}
