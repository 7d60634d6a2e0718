package lookup

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest/bustest"
	"lull/subjects"
	"lull/subjects/spec"
)

const pool subjects.Pool = "test"

func connect(t *testing.T) (*nats.Conn, *jetstream.Bus, *Lookup) {
	t.Helper()
	bus := bustest.Start(t, embedded.Config{Pools: []subjects.Pool{pool}}, pool)
	return bus.Conn(), bus, New(bus)
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
	if e, err := l.Submitted(t.Context(), "job", 0); err != nil || e.Spec.Name != "second" || e.Job != "job" {
		t.Errorf("%+v (%v), want the last one", e, err)
	}
	if e, err := l.Submitted(t.Context(), "job", 1); err != nil || e.Spec.Name != "first" {
		t.Errorf("%+v (%v), want the one that was accepted", e, err)
	}
	if e, err := l.Submitted(t.Context(), "other", 1); err == nil {
		t.Errorf("Submitted(another job) = %+v, want an error", e)
	}
	if _, err := l.Submitted(t.Context(), "none", 0); err == nil || !strings.Contains(err.Error(), "job.none.submitted") {
		t.Errorf("Submitted(none) = %v, want an error that names the subject", err)
	}
	objects := bucket(t, nc)
	if _, err := objects.PutString(t.Context(), "list/0", "splits"); err != nil {
		t.Fatal(err)
	}
	if b, err := l.Object(t.Context(), "list/0"); err != nil || string(b) != "splits" {
		t.Errorf("Object(list/0) = %q, %v, want splits", b, err)
	}
	if _, err := l.Object(t.Context(), "list/1"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "list/1") {
		t.Errorf("Object(list/1) = %v, want ErrNotExist with its name", err)
	}
	if _, err := objects.Put(t.Context(), upstream.ObjectMeta{Name: "list/2"}, io.LimitReader(zeros{}, spec.MaxChunk+1)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Object(t.Context(), "list/2"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Object(list/2), which is too large, = %v, want ErrInvalid", err)
	}
	if _, err := l.Ask(t.Context(), "wanted", nil); err == nil || !strings.Contains(err.Error(), "slotter") {
		t.Errorf("Ask() without a slotter = %v, want an error that names it", err)
	}
	echo, err := nc.Subscribe(pool.Ask("wanted"), func(m *nats.Msg) { _ = m.Respond(append([]byte("re "), m.Data...)) })
	if err != nil {
		t.Fatal(err)
	}
	defer echo.Unsubscribe() //nolint:errcheck // the connection goes with the test
	if b, err := l.Ask(t.Context(), "wanted", []byte("x")); err != nil || string(b) != "re x" {
		t.Errorf("Ask(x) = %q, %v, want re x", b, err)
	}
}

// bucket is the pool's object bucket, as older clients use it.
func bucket(t *testing.T, nc *nats.Conn) upstream.ObjectStore {
	t.Helper()
	js, err := upstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := js.ObjectStore(t.Context(), pool.Objects())
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// Other clients may write to the stream. A list's name fixes its content, so they can
// neither change it nor replace it.
func TestAListIsWhatItsNameSays(t *testing.T) {
	nc, bus, l := connect(t)
	first, second := bytes.Repeat([]byte("first "), 200_000), []byte("second")
	var index []byte
	for _, chunk := range [][]byte{first, second} {
		sum, err := bus.PutBlob(t.Context(), chunk)
		if err != nil {
			t.Fatal(err)
		}
		if index, err = hex.AppendDecode(index, []byte(sum)); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := bus.PutBlob(t.Context(), index)
	if err != nil {
		t.Fatal(err)
	}
	list := spec.SummedList(sum)
	look := func() {
		t.Helper()
		for k, want := range [][]byte{first, second} {
			if b, err := l.Object(t.Context(), spec.ChunkName(list, uint32(k))); err != nil || !bytes.Equal(b, want) {
				t.Errorf("chunk %d has %d bytes, want %d (%v)", k, len(b), len(want), err)
			}
		}
	}
	look()
	if _, err := l.Object(t.Context(), spec.ChunkName(list, 2)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Object(a chunk beyond the list) = %v, want ErrInvalid", err)
	}
	js, err := upstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{"mallory", "zoe"} {
		if _, err := js.Publish(t.Context(), pool.Piece(user, sum), []byte("\x00another index")); err != nil {
			t.Fatal(err)
		}
	}
	look()
	// A client that may write under the owner's name can destroy the list, but not change it.
	if _, err := js.Publish(t.Context(), pool.Piece(subjects.Nobody, sum), []byte("\x00another index")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Object(t.Context(), spec.ChunkName(list, 1)); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), sum) {
		t.Errorf("Object(a list that was overwritten) = %v, want ErrNotExist with its digest", err)
	}
}

// A job may live longer than the log keeps its document.
func TestADocumentThatTheLogForgotIsTheSlotters(t *testing.T) {
	nc, bus, l := connect(t)
	document := subjects.Submitted{Job: "job", Inbox: 1, Spec: spec.Job{Name: "first", Type: "t", Stages: []spec.Stage{
		{Name: "s", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1},
	}}}
	for _, e := range []subjects.Event{&document, &subjects.PoolPaused{}} {
		m, err := subjects.Encode(pool, e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bus.Append(t.Context(), []subjects.Message{m}, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := bus.Trim(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Submitted(t.Context(), "job", 1); err == nil || !strings.Contains(err.Error(), "slotter") {
		t.Errorf("Submitted() without a slotter = %v, want an error that names it", err)
	}
	slotter, err := nc.Subscribe(pool.Ask(subjects.AskDocument), func(m *nats.Msg) {
		var ask subjects.DocumentAsk
		answer := subjects.DocumentAnswer{Error: "unknown"}
		if subjects.Unmarshal(m.Data, &ask) == nil && ask.Job == "job" && ask.Seq == 1 {
			answer = subjects.DocumentAnswer{Submitted: &document}
		}
		body, _ := subjects.Marshal(&answer)
		_ = m.Respond(body)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer slotter.Unsubscribe() //nolint:errcheck // the connection goes with the test
	if e, err := l.Submitted(t.Context(), "job", 1); err != nil || e.Spec.Name != "first" || e.Job != "job" {
		t.Errorf("Submitted(job) = %+v, %v, want first", e, err)
	}
	if e, err := l.Submitted(t.Context(), "job", 2); err == nil {
		t.Errorf("Submitted(an entry of another kind) = %+v, want an error", e)
	}
}
