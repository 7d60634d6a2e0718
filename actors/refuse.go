package actors

import (
	"fmt"
	"time"

	"lull/subjects"
)

const (
	// batchBytes bounds the bytes of one batch: the server keeps all of them in
	// memory, twice, until it commits.
	batchBytes = 4 << 20
	// headroom is what headers add to a message at most, in bytes.
	headroom = 1 << 10
	// barFor is how long a decision that the log refused is dropped: if the
	// actor decides it again, it is asked again after that.
	barFor = time.Minute
	// maxBarred bounds the memory of what was refused.
	maxBarred = 10000
)

// draft is a decision on its way into a batch.
type draft struct {
	event   subjects.Event
	message subjects.Message
}

// fit chooses what of the decisions can be one batch: a beginning of them,
// without what was refused of late. A decision that can never be appended ends
// it, and the actor is told, so that it decides otherwise: what follows may rest
// on it.
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

// widest is how many events may be in the next batch.
func (s *Shell) widest() int {
	if s.narrow.most > 0 && time.Now().Before(s.narrow.until) {
		return s.narrow.most
	}
	return MaxBatch
}

// narrow makes the next batches small, for a while.
type narrow struct {
	most  int // 0: as large as they come
	until time.Time
}

// barKey tells decisions apart that were refused: by their subject, or, when
// they have none, by their kind and job.
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

// bar notes that the log does not take an event, and says so.
func (s *Shell) bar(event subjects.Event, subject string, why error) *Refused {
	s.bars.put(barKey(event, subject), time.Now().Add(barFor))
	s.cfg.Logger.Error("a decision cannot be kept in the log, and another one is asked for", "kind", fmt.Sprintf("%T", event), "subject", subject, "why", why)
	return &Refused{event, why.Error()}
}

// turnedDown deals with a batch that the server takes at no time. In a batch of
// many it is found out which one is to blame.
func (s *Shell) turnedDown(f *flight, err error) {
	if n := len(f.batch); n > 1 {
		s.narrow = narrow{max(1, n/2), time.Now().Add(time.Second)}
		return
	}
	d := f.batch[0]
	s.step(Input{Refused: s.bar(d.event, d.message.Subject, err)})
}
