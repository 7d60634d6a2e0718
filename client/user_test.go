package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
)

// asUsers runs a server that allows ann and olga to publish under their own names only, and returns
// its address.
func asUsers(t *testing.T) *server.Server {
	t.Helper()
	may := func(publish ...string) *server.Permissions {
		return &server.Permissions{Publish: &server.SubjectPermission{Allow: append(publish, "$JS.API.>")}}
	}
	return embeddedtest.Plain(t, &server.Options{
		JetStream: true,
		Users: []*server.User{
			{Username: "service", Password: "p"},
			{Username: "ann", Password: "p", Permissions: may("lull.default.submit.ann", "lull.default.request.*.ann")},
			{Username: "olga", Password: "p", Permissions: may("lull.default.admin.*.olga", "lull.default.pool.paused.olga")},
		},
	})
}

func as(t *testing.T, s *server.Server, user string) *nats.Conn {
	t.Helper()
	nc, err := connect.Dial(strings.Replace(s.ClientURL(), "nats://", "nats://"+user+":p@", 1), "test", "")
	must(t, err)
	t.Cleanup(nc.Close)
	return nc
}

func opened(ctx context.Context, t *testing.T, nc *nats.Conn) *client.Client {
	t.Helper()
	c, err := client.Open(ctx, nc, pool)
	must(t, err)
	return c
}

// within is a context that ends with the test, or after half a minute.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// inboxHolds checks the subjects of the inbox's first messages.
func inboxHolds(ctx context.Context, t *testing.T, bus *jetstream.Bus, subjects ...string) {
	t.Helper()
	inbox, err := bus.Inbox(ctx, 1)
	must(t, err)
	for _, want := range subjects {
		if d := <-inbox; d.Subject != want {
			t.Errorf("the inbox holds %s, want %s", d.Subject, want)
		}
	}
}

// A user's messages carry the user's name in their subjects.
func TestAUserPublishesUnderTheKeysName(t *testing.T) {
	ctx := within(t)
	s := asUsers(t)
	service := as(t, s, "service")
	bus, err := jetstream.Open(ctx, service, pool)
	must(t, err)
	if !jetstream.Identified(service) {
		t.Error("Identified() = false, want true: the server knows the users of connections")
	}
	ann, olga := opened(ctx, t, as(t, s, "ann")), opened(ctx, t, as(t, s, "olga"))
	if ann.User() != "ann" || olga.User() != "olga" {
		t.Fatalf("users = %q, %q, want ann, olga", ann.User(), olga.User())
	}
	id, err := ann.Submit(ctx, parse(t, hello), "one")
	must(t, err)
	if want := subjects.JobIDBy("hello", "ann", "one", 1); id != want {
		t.Errorf("job %s, want %s", id, want)
	}
	if _, err := olga.Cancel(ctx, client.Request{Job: id, Operator: true}); !errors.Is(err, client.ErrNoVerdict) {
		t.Errorf("Cancel by olga as an operator = %v, want ErrNoVerdict", err)
	}
	inboxHolds(ctx, t, bus, pool.SubmitBy("ann"), pool.AdminBy("cancel", "olga"))
	if _, err := ann.Cancel(ctx, client.Request{Job: id, Operator: true}); !errors.Is(err, client.ErrForbidden) {
		t.Errorf("Cancel by ann as an operator = %v, want ErrForbidden", err)
	}
}

// Admission of an earlier release cannot read a user in a subject.
func TestAUserSpeaksToAnEarlierAdmission(t *testing.T) {
	ctx := within(t)
	s := asUsers(t)
	service := as(t, s, "service")
	bus, err := jetstream.Open(ctx, service, pool)
	must(t, err)
	m, err := subjects.Encode(pool, &subjects.Led{Actor: "admission", Partition: "all"})
	must(t, err)
	_, err = bus.Append(ctx, []subjects.Message{m}, actors.Fence{})
	must(t, err)
	c := opened(ctx, t, service)
	id, err := c.Submit(ctx, parse(t, hello), "one")
	if want := subjects.JobID("hello", client.Who(), "one", 1); err != nil || id != want {
		t.Errorf("job %s, %v; want %s", id, err, want)
	}
	if _, err := c.Cancel(ctx, client.Request{Job: id}); !errors.Is(err, client.ErrNoVerdict) {
		t.Errorf("Cancel by the owner = %v, want ErrNoVerdict", err)
	}
	inboxHolds(ctx, t, bus, pool.Submit(), pool.Request("cancel"))
	if _, err := c.Cancel(ctx, client.Request{Job: id, Operator: true}); err == nil || !strings.Contains(err.Error(), "of an earlier release") {
		t.Errorf("Cancel as an operator = %v, want an error on an earlier release", err)
	}
}

// An operator's event is signed if all its readers can read that, and the name counts as
// proven if admission vouches for users.
func TestAnOperatorSignsWhatThePoolCanRead(t *testing.T) {
	ctx := within(t)
	s := asUsers(t)
	service := as(t, s, "service")
	bus, err := jetstream.Open(ctx, service, pool)
	must(t, err)
	boss := opened(ctx, t, service) // with a key that may do everything
	for _, test := range []struct {
		led           subjects.Led
		subject, says string
	}{
		{subjects.Led{}, "lull.default.pool.paused", `"ann" (claimed)`},
		{subjects.Led{Format: subjects.FormatSigned}, "lull.default.pool.paused.service", `"ann" (claimed)`},
		{subjects.Led{Format: subjects.FormatSigned, Vouched: true}, "lull.default.pool.paused.service", "service"},
	} {
		test.led.Actor, test.led.Partition = "admission", "all"
		m, err := subjects.Encode(pool, &test.led)
		must(t, err)
		_, err = bus.Append(ctx, []subjects.Message{m}, actors.Fence{})
		must(t, err)
		view, err := boss.View(ctx)
		must(t, err)
		var shown subjects.Event
		view.Each = func(e client.Entry) { shown = e.Event }
		must(t, boss.Append(ctx, view.State, &subjects.PoolPaused{Who: "ann"}))
		must(t, view.Until(ctx, func() bool { return shown != nil }))
		last, err := bus.Last(ctx, ">")
		must(t, err)
		if last.Subject != test.subject || view.State.PausedBy.By() != test.says {
			t.Errorf("after %+v: the pause is on %s, by %s, want %s, %s", test.led, last.Subject, view.State.PausedBy.By(), test.subject, test.says)
		}
		if p := shown.(*subjects.PoolPaused); subjects.Identity(p.User, p.Who) != test.says {
			t.Errorf("after %+v: event = %+v, want it by %s", test.led, p, test.says)
		}
	}
}

// A key without the right to publish gets an error that says so, whichever form of subject
// the pool reads.
func TestAKeyWithoutTheRightGetsAnError(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := asUsers(t)
	_, err := jetstream.Open(ctx, as(t, s, "service"), pool)
	must(t, err)
	olga := opened(ctx, t, as(t, s, "olga"))
	must(t, olga.Append(ctx, ledger.New(), &subjects.PoolPaused{}))
	if err := opened(ctx, t, as(t, s, "ann")).Append(ctx, ledger.New(), &subjects.PoolPaused{}); !errors.Is(err, client.ErrForbidden) || !strings.Contains(err.Error(), "to publish on lull.default.pool.paused.ann") {
		t.Errorf("Append(PoolPaused) by ann = %v, want ErrForbidden with the subject", err)
	}
	view, err := olga.View(ctx)
	must(t, err)
	if view.State.Seq != 1 {
		t.Errorf("the log ends at %d, want 1", view.State.Seq)
	}
}
