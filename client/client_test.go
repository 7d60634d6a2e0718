package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/actors/jetstream/embedded/embeddedtest/bustest"
	"lull/client"
	"lull/subjects"
	"lull/subjects/spec"
	"lull/test/poll"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const pool = subjects.DefaultPool

// rig is a server with an open pool, and a client of it.
type rig struct {
	*client.Client
	server *embedded.Server
	bus    *jetstream.Bus
	nc     *nats.Conn
}

func newRig(t *testing.T) (*rig, context.Context) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	server := embeddedtest.Start(t, embedded.Config{Listen: "127.0.0.1:0", Token: "secret"})
	bus := bustest.Open(t, server, pool)
	own, err := connect.Dial(server.URL(), "client", "secret")
	must(t, err)
	c, err := client.Open(ctx, own, pool)
	must(t, err)
	t.Cleanup(c.Close)
	return &rig{Client: c, server: server, bus: bus, nc: bus.Conn()}, ctx
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *rig) append(t *testing.T, ctx context.Context, events ...subjects.Event) {
	t.Helper()
	for _, e := range events {
		m, err := subjects.Encode(pool, e)
		must(t, err)
		_, err = r.bus.Append(ctx, []subjects.Message{m}, actors.Fence{})
		must(t, err)
	}
}

func parse(t *testing.T, text string) *spec.Doc {
	t.Helper()
	doc, err := spec.Parse([]byte(text))
	must(t, err)
	return doc
}

func TestOpenSaysWhatToDoWithoutThePool(t *testing.T) {
	r, ctx := newRig(t)
	nc, err := r.server.Conn("other")
	must(t, err)
	_, err = client.Open(ctx, nc, "other")
	if !errors.Is(err, jetstream.ErrNoPool) || !strings.Contains(err.Error(), "check --pool") {
		t.Errorf("Open(other) = %v, want ErrNoPool with advice on --pool", err)
	}
	if !nc.IsClosed() {
		t.Error("connection is open after the error, want it closed")
	}
}

const hello = `{"name":"hello","stages":[{"name":"say","command":["true"],"tasks":2}]}`

// The server drops a message with an id that it received a moment ago, even from another client.
// Submit sends it until the server keeps it; admission recognises repeats by their id.
func TestSubmitIsKeptUnderItsID(t *testing.T) {
	r, ctx := newRig(t)
	inbox, err := r.bus.Inbox(ctx, 1)
	must(t, err)
	doc := parse(t, hello)
	var jobs []string
	for _, id := range []string{"one", "one", "two"} {
		job, err := r.Submit(ctx, doc, id)
		must(t, err)
		jobs = append(jobs, job)
	}
	if jobs[0] != jobs[1] || jobs[0] == jobs[2] || !strings.HasPrefix(jobs[0], "hello-") {
		t.Fatalf("jobs of ids one, one, two = %q, want the first two the same and hello- before all", jobs)
	}
	first, again, second := <-inbox, <-inbox, <-inbox
	if first.Header["Nats-Msg-Id"] != "one" || again.Header["Nats-Msg-Id"] != "one" || second.Header["Nats-Msg-Id"] != "two" {
		t.Fatalf("headers in the inbox = %v, %v, %v, want ids one, one, two", first.Header, again.Header, second.Header)
	}
	if got := subjects.JobID("hello", first.Header["Lull-Client"], "one", first.Seq); got != jobs[0] {
		t.Errorf("JobID as admission makes it = %s, want the client's, %s", got, jobs[0])
	}
	if len(first.Header[actors.Traceparent]) != 55 {
		t.Errorf("traceparent = %q, want 55 characters", first.Header[actors.Traceparent])
	}
	sent, err := spec.ParseWire(first.Body)
	must(t, err)
	if job, err := sent.Job(); err != nil || job.Stages[0].Tasks != 2 {
		t.Errorf("document sent = %+v, %v, want two tasks", job, err)
	}
}

func TestSubmitRefusesWhatNoMessageHolds(t *testing.T) {
	r, ctx := newRig(t)
	doc := parse(t, hello)
	doc.Stages[0].Command = []string{"echo", strings.Repeat("x", 2<<20)}
	if _, err := r.Submit(ctx, doc, "big"); err == nil || !strings.Contains(err.Error(), "the server takes") {
		t.Errorf("Submit(a document of 2 MiB) = %v, want an error on what the server takes", err)
	}
}

func TestEventsEndWhenTheClientGivesUp(t *testing.T) {
	r, ctx := newRig(t)
	gone := errors.New("its server does not come back")
	r.append(t, ctx, &subjects.Left{Host: "h"})
	err := r.Events(ctx, 1, func(actors.Entry) error { r.Abort(gone); return nil })
	if !errors.Is(err, gone) {
		t.Errorf("Events() of a client that gave up = %v, want %v", err, gone)
	}
}

func TestAConnectionThatIsLostAlreadyIsTold(t *testing.T) {
	r, ctx := newRig(t)
	if err := r.server.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if !poll.Until(time.Minute, time.Millisecond, func() bool { return !r.Connected() }) {
		t.Fatal("Connected() a minute after the server ended = true, want false")
	}
	told := make(chan struct{}, 1)
	r.WhenLost(func(context.Context) { told <- struct{}{} })
	select {
	case <-told:
	case <-ctx.Done():
		t.Error("WhenLost() without a connection did not call lost")
	}
}
