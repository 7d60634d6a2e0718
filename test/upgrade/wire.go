package upgrade

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/subjects"
)

// server connects to the pool's server without lull's own packages, which would change the
// streams of an earlier version.
func (p *Pool) server() (*nats.Conn, jetstream.JetStream, error) {
	nc, err := nats.Connect(p.URL(), nats.Token(token))
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(nc)
	return nc, js, err
}

// with runs f with a connection to the pool's server.
func (p *Pool) with(f func(jetstream.JetStream) error) error {
	nc, js, err := p.server()
	if err != nil {
		return err
	}
	defer nc.Close()
	return f(js)
}

// log adds the whole log to the fixture.
func (r *recorder) log(ctx context.Context) error {
	return r.with(func(js jetstream.JetStream) error {
		stream, err := js.Stream(ctx, subjects.DefaultPool.Log())
		if err != nil {
			return err
		}
		for seq := uint64(1); seq <= stream.CachedInfo().State.LastSeq; seq++ {
			m, err := stream.GetMsg(ctx, seq)
			if err != nil {
				return err
			}
			r.f.Entries = append(r.f.Entries, entryOf(m))
		}
		return nil
	})
}

func entryOf(m *jetstream.RawStreamMsg) Entry {
	e := Entry{Seq: m.Sequence, Time: m.Time.UnixNano(), Subject: m.Subject, Body: m.Data}
	if len(m.Header) > 0 {
		e.Header = make(map[string]string, len(m.Header))
	}
	for key, values := range m.Header {
		e.Header[key] = values[0]
	}
	return e
}

// objects adds the present snapshots to the fixture.
func (r *recorder) objects(ctx context.Context) error {
	return r.with(func(js jetstream.JetStream) error {
		bucket, err := js.ObjectStore(ctx, subjects.DefaultPool.Snapshots())
		if err != nil {
			return err
		}
		list, err := bucket.List(ctx)
		if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
			return err
		}
		for _, info := range list {
			body, err := bucket.GetBytes(ctx, info.Name)
			if err != nil {
				return err
			}
			r.f.Snapshots = append(r.f.Snapshots, Snapshot{Name: info.Name, Body: body})
		}
		return nil
	})
}

// say appends rare events as if from host c.
func (r *recorder) say(ctx context.Context) {
	if r.err == nil {
		r.err = r.with(func(js jetstream.JetStream) error { return r.sayRare(ctx, js) })
	}
}

func (r *recorder) sayRare(ctx context.Context, js jetstream.JetStream) error {
	pool, host := subjects.DefaultPool, r.Host+"-c"
	stream, err := js.Stream(ctx, pool.Log())
	if err != nil {
		return err
	}
	joined, err := stream.GetLastMsgForSubject(ctx, pool.Joined(host))
	if err != nil {
		return err
	}
	for _, e := range rare(host, joined.Sequence, r.ids["many"], time.Now().UnixNano()) {
		m, err := subjects.Encode(pool, e)
		if err != nil {
			return err
		}
		if _, err := js.Publish(ctx, m.Subject, m.Body); err != nil {
			return err
		}
	}
	return nil
}

// idle reports again and again that the hosts' cores are idle, so that the script does not
// depend on other load of the machine.
func (p *Pool) idle(ctx context.Context) {
	nc, err := nats.Connect(p.URL(), nats.Token(token), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1))
	if err != nil {
		return
	}
	defer nc.Close()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		for _, host := range []string{"-a", "-b", "-c", "-d"} {
			m, err := subjects.EncodeTelemetry(subjects.DefaultPool, &subjects.Usage{
				Host: p.Host + host, At: time.Now().UnixNano(), Cores: 2, Idle: 2, MemoryFree: 4 << 30, Memory: 8 << 30, DiskFree: 64 << 30,
			})
			if err == nil {
				_ = nc.Publish(m.Subject, m.Body) // the next one comes soon
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return
		}
	}
}
