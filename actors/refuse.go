package actors

import (
	"fmt"
	"time"

	"lull/subjects"
)

const (
	// batchBytes bounds the bytes of one batch: the server keeps two copies of
	// them in memory until it commits.
	batchBytes = 4 << 20
	// headroom is what headers add to a message at most, in bytes.
	headroom = 1 << 10
	// barFor is how long the shell drops a decision that the log refused. If the
	// actor makes it again after that, the log is asked again.
	barFor = time.Minute
	// maxBarred bounds the number of refused decisions remembered.
	maxBarred = 10000
)

// draft is a decision on its way into a batch.
type draft struct {
	event   subjects.Event
	message subjects.Message
}

// fit returns the first events that form one batch, without those that the log
// refused within barFor. It stops at an event that can never be appended, because
// later events may depend on it, and returns it as refused for the actor to decide
// otherwise.
func (s *Shell) fit(events []subjects.Event) (batch []draft, refused *Refused, err error) {
	bytes := 0
	for _, event := range events {
		m, why := s.encode(event)
		size := len(m.Body) + len(m.Subject) + headroom
		switch {
		case s.barred(event, m.Subject):
			continue
		case why != nil:
		case !Match(s.cfg.Filter, m.Subject):
			return nil, nil, fmt.Errorf("%s does not match Filter %q: its echo would never be seen", m.Subject, s.cfg.Filter)
		case size > s.cfg.Bus.MaxMessage():
			why = fmt.Errorf("it takes %d bytes, the log takes at most %d", size, s.cfg.Bus.MaxMessage())
		}
		if why != nil {
			return batch, s.bar(event, m.Subject, why), nil
		}
		if bytes += size; len(batch) == s.widest() || len(batch) > 0 && bytes > batchBytes {
			break
		}
		batch = append(batch, draft{event, m})
	}
	return batch, nil, nil
}

func (s *Shell) encode(event subjects.Event) (subjects.Message, error) {
	return subjects.Encode(s.cfg.Bus.Pool(), event)
}

// widest is the most events that the next batch may hold.
func (s *Shell) widest() int {
	if s.narrow.most > 0 && time.Now().Before(s.narrow.until) {
		return s.narrow.most
	}
	return MaxBatch
}

// narrow limits the number of events in a batch until a time.
type narrow struct {
	most  int // 0: no limit
	until time.Time
}

// barKey identifies a refused decision by its subject, or, if it could not be
// encoded and has none, by its kind and job.
func barKey(event subjects.Event, subject string) string {
	if subject == "" {
		return fmt.Sprintf("%T %s", event, subjects.JobOf(event))
	}
	return subject
}

func (s *Shell) barred(event subjects.Event, subject string) bool {
	until, ok := s.bars.get(barKey(event, subject))
	return ok && time.Now().Before(until)
}

// bar notes and logs that the log does not accept an event.
func (s *Shell) bar(event subjects.Event, subject string, why error) *Refused {
	s.bars.put(barKey(event, subject), time.Now().Add(barFor))
	s.cfg.Logger.Error("the log does not accept a decision; deciding otherwise", "kind", fmt.Sprintf("%T", event), "subject", subject, "why", why)
	return &Refused{event, why.Error()}
}

// turnedDown handles a batch that the server will never accept. It halves the next
// batches until one holds a single event: that is the one to refuse.
func (s *Shell) turnedDown(f *flight, err error) {
	if n := len(f.batch); n > 1 {
		s.narrow = narrow{max(1, n/2), time.Now().Add(time.Second)}
		return
	}
	d := f.batch[0]
	s.step(Input{Refused: s.bar(d.event, d.message.Subject, err)})
}
