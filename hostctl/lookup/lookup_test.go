package lookup

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/subjects"
	"lull/subjects/spec"
)

const pool subjects.Pool = "test"

func connect(t *testing.T) (*nats.Conn, *jetstream.Bus, *Lookup) {
	t.Helper()
	server, err := jetstream.Start(jetstream.EmbeddedConfig{Dir: t.TempDir(), Pools: []subjects.Pool{pool}})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := server.Conn("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		nc.Close()
		if err := server.Shutdown(); err != nil {
			t.Error(err)
		}
	})
	bus, err := jetstream.Open(t.Context(), nc, pool)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(nc, pool)
	if err != nil {
		t.Fatal(err)
	}
	return nc, bus, l
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

func TestLookup(t *testing.T) {
	nc, bus, l := connect(t)
	for _, name := range []string{"first", "second"} {
		m, err := subjects.Encode(pool, &subjects.Submitted{Job: "job", Inbox: 1, Spec: spec.Job{Name: name, Type: "t", Stages: []spec.Stage{
			{Name: "s", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bus.Append(t.Context(), []subjects.Message{m}, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
	}
	if e, err := l.Submitted(t.Context(), "job"); err != nil || e.Spec.Name != "second" || e.Job != "job" {
		t.Errorf("%+v (%v), want the last one", e, err)
	}
	if _, err := l.Submitted(t.Context(), "none"); err == nil || !strings.Contains(err.Error(), "job.none.submitted") {
		t.Errorf("error %v does not name the subject", err)
	}
	if _, err := bus.Objects().PutString(t.Context(), "list/0", "splits"); err != nil {
		t.Fatal(err)
	}
	if b, err := l.Object(t.Context(), "list/0"); err != nil || string(b) != "splits" {
		t.Errorf("%q (%v)", b, err)
	}
	if _, err := l.Object(t.Context(), "list/1"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "list/1") {
		t.Errorf("error %v does not say that the object is not there", err)
	}
	if _, err := bus.Objects().Put(t.Context(), upstream.ObjectMeta{Name: "list/2"}, io.LimitReader(zeros{}, spec.MaxChunk+1)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Object(t.Context(), "list/2"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error %v does not say that the object is too large", err)
	}
	if _, err := l.Ask(t.Context(), "wanted", nil); err == nil || !strings.Contains(err.Error(), "slotter") {
		t.Errorf("error %v does not say who should have answered", err)
	}
	echo, err := nc.Subscribe(pool.Ask("wanted"), func(m *nats.Msg) { _ = m.Respond(append([]byte("re "), m.Data...)) })
	if err != nil {
		t.Fatal(err)
	}
	defer echo.Unsubscribe() //nolint:errcheck // the connection goes with the test
	if b, err := l.Ask(t.Context(), "wanted", []byte("x")); err != nil || string(b) != "re x" {
		t.Errorf("%q (%v)", b, err)
	}
}
