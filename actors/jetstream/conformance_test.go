package jetstream_test

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server/ats"
	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"lull/actors"
	"lull/actors/conformance"
	"lull/actors/jetstream"
)

func TestMain(m *testing.M) {
	// Outside every synctest bubble: the server's access-time ticker is one
	// for the whole process.
	ats.Register()
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent())
}

func TestConformance(t *testing.T) { conformance.RunParallel(t, open) }

// attached is a bus from Attach, with the leases of an opened one: the suite needs
// leases, and Attach has none.
type attached struct {
	*jetstream.Bus
	opened actors.Bus
}

func (a attached) Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	return a.opened.Lease(ctx, name, holder, ttl)
}

func (a attached) Release(ctx context.Context, name, holder string) error {
	return a.opened.Release(ctx, name, holder)
}

func TestConformanceAttached(t *testing.T) {
	conformance.RunParallel(t, func(t *testing.T) conformance.Fixture {
		f := open(t)
		bus, err := jetstream.Attach(t.Context(), f.Bus.(*jetstream.Bus).Conn(), f.Bus.Pool())
		if err != nil {
			t.Fatal(err)
		}
		f.Bus = attached{bus, f.Bus}
		return f
	})
}

// open starts a server of its own for a test.
func open(t *testing.T) conformance.Fixture {
	t.Helper()
	bus, _ := jetstream.OpenTest(t)
	return fixture(t, bus)
}

func fixture(t *testing.T, bus *jetstream.Bus) conformance.Fixture {
	admin, err := js.New(bus.Conn())
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return conformance.Fixture{
		Bus: bus,
		Send: func(d actors.Delivery) error {
			m := &nats.Msg{Subject: d.Subject, Reply: d.Reply, Data: d.Body, Header: nats.Header{}}
			for k, v := range d.Header {
				m.Header.Set(k, v)
			}
			if d.Header["traceparent"] != "" {
				m.Header = nats.Header{"traceparent": {d.Header["traceparent"]}}
			}
			return bus.Conn().PublishMsg(m)
		},
		Full: func(full bool) {
			stream, err := admin.Stream(context.Background(), bus.Pool().Log())
			must(err)
			cfg := stream.CachedInfo().Config
			cfg.MaxBytes = -1
			if full {
				cfg.MaxBytes = int64(stream.CachedInfo().State.Bytes)
			}
			_, err = admin.UpdateStream(context.Background(), cfg)
			must(err)
		},
		Recreate: func() {
			must(admin.DeleteStream(context.Background(), bus.Pool().Log()))
			_, err := jetstream.Open(context.Background(), bus.Conn(), bus.Pool())
			must(err)
		},
		RecreateInbox: func() {
			must(admin.DeleteStream(context.Background(), bus.Pool().Inbox()))
			_, err := jetstream.Open(context.Background(), bus.Conn(), bus.Pool())
			must(err)
		},
		Intrude: func(subject string) {
			if bus.Pool().Submit() != subject {
				t.Fatalf("Intrude(%s): want the subject of a stream beside the log", subject)
			}
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			before, err := bus.Log(ctx)
			must(err)
			entries, err := bus.Follow(ctx, before.Last+1, "")
			must(err)
			consumer := js.ConsumerConfig{DeliverSubject: "lull.test.pool.paused", AckPolicy: js.AckNonePolicy}
			ack, err := admin.Publish(context.Background(), subject, []byte("foreign"))
			must(err)
			consumer.DeliverPolicy, consumer.OptStartSeq = js.DeliverByStartSequencePolicy, ack.Sequence
			_, err = admin.CreatePushConsumer(context.Background(), bus.Pool().Inbox(), consumer)
			must(err)
			<-entries
		},
		Accept: func(subject string) {
			stream, err := admin.Stream(context.Background(), bus.Pool().Log())
			must(err)
			cfg := stream.CachedInfo().Config
			cfg.Subjects = append(cfg.Subjects, subject)
			_, err = admin.UpdateStream(context.Background(), cfg)
			must(err)
		},
		Quarantined: func() int {
			stream, err := admin.Stream(context.Background(), bus.Pool().QuarantineStream())
			must(err)
			return int(stream.CachedInfo().State.Msgs)
		},
	}
}
