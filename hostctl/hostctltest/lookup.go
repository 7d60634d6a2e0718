package hostctltest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/subjects"
)

// Lookup is a hostctl.Lookup with answers that the test sets. The exported fields are set before
// an agent may ask.
type Lookup struct {
	Bus actors.Bus
	// Objects are the bucket's, by name.
	Objects map[string][]byte
	// Outputs is the slotter's answer to AskOutputs. Without it there is none.
	Outputs func(subjects.OutputsAsk) subjects.OutputsAnswer
	// Wanted is the slotter's answer to AskWanted.
	Wanted []string

	mu struct {
		sync.Mutex
		jobs map[string]*subjects.Submitted
		kept []subjects.KeptOutput
	}
}

// AddJob makes a job known.
func (l *Lookup) AddJob(e *subjects.Submitted) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mu.jobs == nil {
		l.mu.jobs = map[string]*subjects.Submitted{}
	}
	l.mu.jobs[e.Job] = e
}

// SetKept sets the slotter's answer to AskKept.
func (l *Lookup) SetKept(kept []subjects.KeptOutput) {
	l.mu.Lock()
	l.mu.kept = kept
	l.mu.Unlock()
}

// Submitted returns the job's event.
func (l *Lookup) Submitted(_ context.Context, job string, _ uint64) (*subjects.Submitted, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.mu.jobs[job]; s != nil {
		return s, nil
	}
	return nil, errors.New("no such job")
}

// Object returns an object of the bucket.
func (l *Lookup) Object(_ context.Context, name string) ([]byte, error) {
	if b, ok := l.Objects[name]; ok {
		return b, nil
	}
	return nil, fmt.Errorf("object %s: %w", name, fs.ErrNotExist)
}

// Ticket asks another host for a ticket.
func (l *Lookup) Ticket(ctx context.Context, host string) (subjects.TicketAnswer, error) {
	return AskTicket(ctx, l.Bus, l.Bus.Pool().Pass(host))
}

// AskTicket asks for a ticket over a bus in memory, as a reader does.
func AskTicket(ctx context.Context, bus actors.Bus, subject string) (answer subjects.TicketAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	replies, err := bus.Listen(ctx, "reply.to.reader")
	if err != nil {
		return answer, err
	}
	if err := bus.(*memory.Bus).Send(actors.Delivery{Subject: subject, Reply: "reply.to.reader"}); err != nil {
		return answer, err
	}
	d, ok := <-replies
	if !ok {
		return answer, errors.New("no answer on " + subject)
	}
	return answer, subjects.Unmarshal(d.Body, &answer)
}

// Ask answers a question to the slotter.
func (l *Lookup) Ask(_ context.Context, what string, body []byte) ([]byte, error) {
	switch {
	case what == subjects.AskWanted:
		return subjects.Marshal(&subjects.WantedAnswer{Jobs: l.Wanted})
	case what == subjects.AskKept:
		l.mu.Lock()
		defer l.mu.Unlock()
		return subjects.Marshal(&subjects.KeptAnswer{Outputs: l.mu.kept})
	case l.Outputs == nil:
		return nil, errors.New("no slotter answers")
	}
	var ask subjects.OutputsAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return nil, err
	}
	answer := l.Outputs(ask)
	return subjects.Marshal(&answer)
}
