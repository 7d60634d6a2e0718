package flat

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/cmd/lull/serve/local"
	"lull/subjects"
	"lull/test/bench/live/host"
)

// standIn is a host that runs nothing: it reports the end of each task at once. So the benchmark
// measures the log and the services, not fork and exec, which the tasks' idle class keeps
// waiting wherever other work wants the CPU.
type standIn struct {
	conn *nats.Conn
	bus  *jetstream.Bus
	term uint64
	over chan error
}

const (
	name  = "stand-in"
	cores = 64
	label = "stand-in=yes"
)

// join begins the host. It works until ctx ends.
func join(ctx context.Context, in *host.Instance) (*standIn, error) {
	endpoint, ok := local.Attach(in.Dir)
	if !ok {
		return nil, fmt.Errorf("no server runs on %s", filepath.Clean(in.Dir))
	}
	conn, err := connect.Dial(endpoint.URL, name, endpoint.Token)
	if err != nil {
		return nil, err
	}
	s := &standIn{conn: conn, over: make(chan error, 1)}
	if s.bus, err = jetstream.Open(ctx, conn, subjects.DefaultPool); err != nil {
		conn.Close()
		return nil, err
	}
	s.term, err = s.append(ctx, &subjects.Joined{
		Host: name, Instance: "bench", Boot: "bench", Cores: cores, Slots: cores, Memory: 1 << 40,
		Labels: []string{label}, Format: subjects.Format,
	})
	if err != nil {
		conn.Close()
		return nil, err
	}
	entries, err := s.bus.Follow(ctx, s.term+1, s.bus.Pool().OfHost(name))
	if err != nil {
		conn.Close()
		return nil, err
	}
	go func() { s.over <- s.serve(ctx, entries) }()
	return s, nil
}

// end waits until the host is over, after its context has ended.
func (s *standIn) end() error {
	defer s.conn.Close()
	return <-s.over
}

// serve ends tasks as they are assigned, and reports each second that the host is there.
func (s *standIn) serve(ctx context.Context, entries <-chan actors.Delivery) error {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	if err := s.sendTelemetry(); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-second.C:
			if err := s.sendTelemetry(); err != nil {
				return err
			}
		case d, ok := <-entries:
			if !ok {
				return nil
			}
			if err := s.finish(ctx, d, entries); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

// finish ends the task that an entry assigns, and those of the entries behind it that are there.
func (s *standIn) finish(ctx context.Context, d actors.Delivery, entries <-chan actors.Delivery) error {
	ends, err := s.endOf(nil, d)
	for there := true; there && err == nil && len(ends) < actors.MaxBatch; {
		select {
		case d, there = <-entries:
			if there {
				ends, err = s.endOf(ends, d)
			}
		default:
			there = false
		}
	}
	if err != nil || len(ends) == 0 {
		return err
	}
	_, err = s.append(ctx, ends...)
	return err
}

// endOf adds the end of the task that an entry assigns, if it assigns one.
func (s *standIn) endOf(ends []subjects.Event, d actors.Delivery) ([]subjects.Event, error) {
	event, err := subjects.Decode(s.bus.Pool(), d.Subject, d.Body)
	if err != nil && !d.Skippable(err) {
		return ends, err
	}
	if e, ok := event.(*subjects.Assigned); ok && err == nil && e.Host == name {
		ends = append(ends, &subjects.Finished{
			Host: name, Job: e.Job, Fact: subjects.Fact{TaskID: e.TaskID, Term: s.term, Attempt: d.Seq},
			Run: subjects.Run{Start: time.Now().UnixNano(), Seconds: 0.01, CPU: 0.01, Residual: 1},
		})
	}
	return ends, nil
}

func (s *standIn) append(ctx context.Context, events ...subjects.Event) (uint64, error) {
	batch := make([]subjects.Message, len(events))
	for i, e := range events {
		m, err := subjects.Encode(s.bus.Pool(), e)
		if err != nil {
			return 0, err
		}
		batch[i] = m
	}
	return s.bus.Append(ctx, batch, actors.Fence{})
}

// sendTelemetry sends a heartbeat and a second's usage.
func (s *standIn) sendTelemetry() error {
	for _, t := range []subjects.Telemetry{
		&subjects.Beat{Host: name, Term: s.term, Boot: "bench"}, // Seq 0: it says nothing of what it holds
		&subjects.Usage{Host: name, At: time.Now().UnixNano(), Cores: cores, Idle: cores, Memory: 1 << 40, MemoryFree: 1 << 40},
	} {
		m, err := subjects.EncodeTelemetry(s.bus.Pool(), t)
		if err != nil {
			return err
		}
		if err := s.bus.Publish(m.Subject, m.Body); err != nil {
			return err
		}
	}
	return nil
}
