package serve

import (
	"context"
	"fmt"
	"strings"

	nats "github.com/nats-io/nats.go/jetstream"

	"lull/actors/jetstream"
	"lull/hostctl"
	"lull/subjects"
)

// lookup finds for an agent what its own host's facts do not hold.
type lookup struct {
	bus *jetstream.Bus
	log nats.Stream
}

var _ hostctl.Lookup = (*lookup)(nil)

func newLookup(ctx context.Context, bus *jetstream.Bus) (*lookup, error) {
	js, err := nats.New(bus.Conn())
	if err != nil {
		return nil, err
	}
	log, err := js.Stream(ctx, bus.Pool().Log())
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", bus.Pool().Log(), err)
	}
	return &lookup{bus, log}, nil
}

// Submitted reads the job's specification from the log.
func (l *lookup) Submitted(ctx context.Context, job string) (*subjects.Submitted, error) {
	subject := strings.TrimSuffix(l.bus.Pool().OfJob(job), ">") + "submitted"
	m, err := l.log.GetLastMsgForSubject(ctx, subject)
	if err != nil {
		return nil, fmt.Errorf("job %s: %w", job, err)
	}
	event, err := subjects.Decode(l.bus.Pool(), m.Subject, m.Data)
	if err != nil {
		return nil, err
	}
	submitted, ok := event.(*subjects.Submitted)
	if !ok {
		return nil, fmt.Errorf("job %s: %s holds a %T", job, subject, event)
	}
	return submitted, nil
}

// Object reads an object of the pool's bucket.
func (l *lookup) Object(ctx context.Context, name string) ([]byte, error) {
	return l.bus.Objects().GetBytes(ctx, name)
}

// Ask puts a question to whichever service answers it.
func (l *lookup) Ask(ctx context.Context, what string, body []byte) ([]byte, error) {
	m, err := l.bus.Conn().RequestWithContext(ctx, l.bus.Pool().Ask(what), body)
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", what, err)
	}
	return m.Data, nil
}
