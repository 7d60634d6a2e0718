package core

import (
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
)

const (
	// batchBytes bounds the bytes of one batch: the server keeps two copies of
	// them in memory until it commits.
	batchBytes = 4 << 20
	// headroom is what headers add to a message at most, in bytes.
	headroom = 1 << 10
	// refusalLifetime is how long a decision that the log refused is dropped. If the
	// actor makes it again after that, the log is asked again.
	refusalLifetime = time.Minute
	// maxRefusals bounds the number of refused decisions remembered.
	maxRefusals = 10000
)

// fit returns the first events that form one batch, without those that the log refused within
// refusalLifetime. It stops at an event that can never be appended, because later events may depend on it.
// It returns that event as refused, so that the actor can decide otherwise.
func (c *Core) fit(events []subjects.Event) (batch []Draft, refused *actors.Refused, err error) {
	batch = make([]Draft, 0, len(events))
	bytes := 0
	for _, event := range events {
		m, why := c.cfg.Vocabulary.Encode(c.cfg.Pool, event)
		size := len(m.Body) + len(m.Subject) + headroom
		switch {
		case c.refusedLately(event, m.Subject):
			continue
		case why != nil:
		case !actors.Match(c.cfg.Filter, m.Subject):
			return nil, nil, fmt.Errorf("%s does not match Filter %q: its echo would never be seen", m.Subject, c.cfg.Filter)
		case c.at.MaxMessage > 0 && size > c.at.MaxMessage:
			why = fmt.Errorf("it takes %d bytes, the log takes at most %d", size, c.at.MaxMessage)
		}
		if why != nil {
			return batch, c.recordRefusal(event, m.Subject, why), nil
		}
		if bytes += size; len(batch) == c.maxEvents() || len(batch) > 0 && bytes > batchBytes {
			break
		}
		batch = append(batch, Draft{event, m})
	}
	return batch, nil, nil
}

// maxEvents is the most events that the next batch may hold.
func (c *Core) maxEvents() int {
	if c.batchLimit.most > 0 && c.at.Elapsed < c.batchLimit.until {
		return c.batchLimit.most
	}
	return actors.MaxBatch
}

// batchLimit limits the number of events in a batch until a time.
type batchLimit struct {
	most  int // 0: no limit
	until time.Duration
}

// refusalKey identifies a refused decision by its subject, or, if it could not be
// encoded and has none, by its kind and job.
func refusalKey(event subjects.Event, subject string) string {
	if subject == "" {
		return fmt.Sprintf("%T %s", event, subjects.JobOf(event))
	}
	return subject
}

// refusedLately reports whether the log refused a decision within refusalLifetime.
func (c *Core) refusedLately(event subjects.Event, subject string) bool {
	if c.refusals.Len() == 0 {
		return false
	}
	until, ok := c.refusals.Get(refusalKey(event, subject))
	return ok && c.at.Elapsed < until
}

// recordRefusal notes and reports that the log does not accept an event, for refusalLifetime.
func (c *Core) recordRefusal(event subjects.Event, subject string, why error) *actors.Refused {
	c.refusals.Put(refusalKey(event, subject), c.at.Elapsed+refusalLifetime)
	c.note(Fault, "the log does not accept a decision; deciding otherwise", "kind", fmt.Sprintf("%T", event), "subject", subject, "why", why)
	return &actors.Refused{Event: event, Why: why.Error()}
}

// handleRefusedBatch handles a batch that the server will never accept. It halves the next
// batches until one holds a single event: that is the one to refuse.
func (c *Core) handleRefusedBatch(f *flight, err error) {
	if n := len(f.batch); n > 1 {
		c.batchLimit = batchLimit{max(1, n/2), c.at.Elapsed + time.Second}
		return
	}
	d := f.batch[0]
	c.step(actors.Input{Refused: c.recordRefusal(d.Event, d.Message.Subject, err)})
}
