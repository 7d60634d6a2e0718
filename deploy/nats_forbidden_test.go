package deploy_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream"
	"lull/client"
	"lull/cmd/lull/serve/vouch"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// What a key has no right to do ends within seconds with an error that names the right and the
// roles that have it. A server with an account for each key does not refuse messages: they stay
// in the key's account, and may even have subscribers there.
func TestAnActWithoutTheRightSaysSo(t *testing.T) {
	s := start(t)
	judge := as(t, s, "judge")
	_, err := jetstream.Open(t.Context(), judge, pool)
	must(t, err)
	doc, err := spec.Parse([]byte("{name: a, stages: [{name: a, command: ls, tasks: 1}]}"))
	must(t, err)
	append1 := func(event func() subjects.Event) func(context.Context, *client.Client) error { // encoding an event fills it in
		return func(ctx context.Context, c *client.Client) error { return c.Append(ctx, ledger.New(), event()) }
	}
	acts := map[string]struct {
		try  func(context.Context, *client.Client) error
		lack string // keys without the right
		say  string // the roles that have it
	}{
		"submit": {func(ctx context.Context, c *client.Client) error {
			_, err := c.Submit(ctx, doc, client.NewID())
			return err
		},
			"dashboard host-a slotter", "client or operator"},
		"forecast": {func(ctx context.Context, c *client.Client) error { _, err := c.Forecast(ctx, doc); return err },
			"dashboard host-a", "client or operator"},
		"cancel": {func(ctx context.Context, c *client.Client) error {
			_, err := c.Cancel(ctx, client.Request{Job: "a"})
			return err
		}, "dashboard host-a slotter", "client or operator"},
		"retry as an operator": {func(ctx context.Context, c *client.Client) error {
			_, err := c.Retry(ctx, client.Request{Job: "a", Operator: true})
			return err
		}, "dashboard host-a ann", "operator"},
		"pause":     {append1(func() subjects.Event { return &subjects.Paused{Host: "a"} }), "dashboard host-a ann slotter", "operator"},
		"pause all": {append1(func() subjects.Event { return &subjects.PoolPaused{} }), "dashboard host-a ann", "operator"},
		"queue":     {append1(func() subjects.Event { return &subjects.Shared{Queue: "q", Weight: 2} }), "dashboard host-a ann", "operator"},
		"forget":    {append1(func() subjects.Event { return &subjects.Drained{Host: "b", Forget: true} }), "dashboard host-a ann", "operator"},
		"forget a host that is not there": {func(ctx context.Context, c *client.Client) error { return c.Forget(ctx, "", "nosuch") },
			"dashboard host-a ann", "operator"},
		"pause a host that is not there": {func(ctx context.Context, c *client.Client) error { return c.Pause(ctx, "", "nosuch") },
			"dashboard host-a ann", "operator"},
		"drain no host": {func(ctx context.Context, c *client.Client) error { return c.DrainAll(ctx, "") },
			"dashboard host-a ann", "operator"},
		"resume no host": {func(ctx context.Context, c *client.Client) error { return c.ResumeAll(ctx) },
			"dashboard host-a ann", "operator"},
		"look before queue unset": {func(ctx context.Context, c *client.Client) error {
			return client.MayAppend(ctx, c, &subjects.Shared{Queue: "nosuch", Weight: 1})
		},
			"dashboard host-a ann", "operator"},
		"look before topology unset": {func(ctx context.Context, c *client.Client) error { return client.MayAppend(ctx, c, &subjects.Wired{}) },
			"dashboard host-a ann", "operator"},
		"tenants set": {append1(func() subjects.Event { return client.Owned(map[string]string{"a": "shop"}) }), "dashboard host-a ann", "operator"},
		"look before cancel": {func(ctx context.Context, c *client.Client) error {
			return client.MayRequest(ctx, c, subjects.RequestCancel, false)
		},
			"dashboard host-a", "client or operator"},
		"look before retry as an operator": {func(ctx context.Context, c *client.Client) error {
			return client.MayRequest(ctx, c, subjects.RequestRetry, true)
		},
			"dashboard host-a ann", "operator"},
		"classify": {func(ctx context.Context, c *client.Client) error { _, err := c.Classify(ctx, true); return err }, "dashboard host-a", "client or operator"},
		"sources":  {func(ctx context.Context, c *client.Client) error { _, err := c.DataNodes(ctx, ""); return err }, "host-a", "dashboard or client or operator"},
		"state":    {func(ctx context.Context, c *client.Client) error { _, err := c.View(ctx); return err }, "host-a", "dashboard or client or operator"},
		"history": {func(ctx context.Context, c *client.Client) error { _, err := c.Samples().HistoryInfo(ctx); return err },
			"dashboard host-a ann", "operator"},
		"import": {func(ctx context.Context, c *client.Client) error {
			return c.Samples().PutHistory(ctx, subjects.Message{Subject: pool.OfPast("a", "b"), Body: []byte("x")})
		}, "dashboard host-a ann", "operator"},
	}
	for name, act := range acts {
		for who := range strings.FieldsSeq(act.lack) {
			t.Run(name+" as "+who, func(t *testing.T) {
				t.Parallel()
				nc := as(t, s, who)
				_, err := nc.Subscribe(">", func(*nats.Msg) {}) // so the server knows a subscriber
				must(t, err)
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				c, err := client.Open(ctx, nc, pool)
				must(t, err)
				defer c.Close()
				err = act.try(ctx, c)
				if !errors.Is(err, client.ErrForbidden) || !strings.HasSuffix(err.Error(), ": use a key of the role "+act.say) {
					t.Errorf("%s as %s = %v, want an error that says to use a key of the role %s", name, who, err, act.say)
				}
			})
		}
	}
}

// Keys with the right to an act are not refused by the look that comes before it.
func TestALookRefusesNoKeyWithTheRight(t *testing.T) {
	s := start(t)
	_, err := jetstream.Open(t.Context(), as(t, s, "judge"), pool)
	must(t, err)
	open := func(who string) *client.Client {
		c, err := client.Open(t.Context(), as(t, s, who), pool)
		must(t, err)
		t.Cleanup(c.Close)
		return c
	}
	must(t, client.MayRequest(t.Context(), open("ann"), subjects.RequestCancel, false))
	operator := open("olga")
	for _, e := range []subjects.Event{&subjects.Shared{Queue: "q", Weight: 1}, &subjects.Wired{}, &subjects.Owned{}, &subjects.Paused{Host: "a"}} {
		must(t, client.MayAppend(t.Context(), operator, e))
	}
	must(t, client.MayRequest(t.Context(), operator, subjects.RequestRetry, true))
	must(t, operator.DrainAll(t.Context(), ""))
	if err := operator.Forget(t.Context(), "", "nosuch"); !errors.Is(err, client.ErrNoHost) {
		t.Errorf("Forget(nosuch) as olga = %v, want ErrNoHost", err)
	}
}

// A service does not wait for a pool that its key gives it no right to serve.
func TestAServiceWithAnotherRolesKeyEnds(t *testing.T) {
	s := start(t)
	_, err := jetstream.Open(t.Context(), as(t, s, "judge"), pool)
	must(t, err)
	for _, test := range []struct{ user, service, subject, want string }{
		{"ann", "admission", pool.Led("admission", subjects.WholePool), "the key of client ann may not run lull admission"},
		{"dashboard", "slotter", pool.Led("slotter", subjects.WholePool), "the key of dashboard may not run lull slotter"},
		{"admission", "slotter", pool.Led("slotter", subjects.WholePool), "this key may not run lull slotter"},
		{"host-a", "agent", pool.Joined("b"), "the key of host a may not run lull agent"},
		{"slotter", "slotter", pool.Led("slotter", subjects.WholePool), ""},
		{"host-a", "agent", pool.Joined("a"), ""},
	} {
		_, err := vouch.Writes(test.service, test.subject, jetstream.Attach)(t.Context(), as(t, s, test.user), pool)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("Writes(%s) as %s = %v, want no error", test.service, test.user, err)
		case test.want != "" && (!errors.Is(err, jetstream.ErrWrongKey) || !strings.Contains(err.Error(), test.want)):
			t.Errorf("Writes(%s) as %s = %v, want ErrWrongKey with %q", test.service, test.user, err, test.want)
		}
	}
}
