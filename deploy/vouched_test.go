package deploy_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// admits runs lull admission with a key and flags until the test ends.
func admits(t *testing.T, s *server.Server, flags ...string) {
	t.Helper()
	t.Setenv("LULL_TOKEN", "admission:"+password)
	cmd := command(t, "admission")
	cmd.SetArgs(append(flags, "--nats", s.ClientURL()))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("lull admission = %v, want no error", err)
		}
	})
}

func clientOf(ctx context.Context, t *testing.T, s *server.Server, user string) *client.Client {
	t.Helper()
	c, err := client.Open(ctx, as(t, s, user), pool)
	must(t, err)
	return c
}

// With lull permissions and --vouched only a job's user or an operator may cancel it, and every user
// sees who did. Without --vouched every user may cancel it, and names are claims.
func TestOnlyItsUserOrAnOperatorCancelsAJob(t *testing.T) {
	for _, test := range []struct {
		flags                  []string
		bob, byAnn, byOperator string
	}{
		{[]string{"--vouched"}, "refused", "ann", "olga"},
		{nil, "cancelled", `"` + client.Who() + `" (claimed)`, `"` + client.Who() + `" (claimed)`},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		s := start(t)
		bus := opened(t, s)
		admits(t, s, test.flags...)
		led, err := bus.Follow(ctx, 1, pool.Led("admission", "all"))
		must(t, err)
		<-led
		ann, bob, olga := clientOf(ctx, t, s, "ann"), clientOf(ctx, t, s, "bob"), clientOf(ctx, t, s, "olga")
		for _, by := range []struct {
			c        *client.Client
			operator bool
			says     string
		}{{ann, false, test.byAnn}, {olga, true, test.byOperator}} {
			doc, err := spec.Parse([]byte(`{"name":"say","stages":[{"name":"s","command":["true"],"tasks":1}]}`))
			must(t, err)
			job, err := ann.Submit(ctx, doc, client.NewID())
			must(t, err)
			verdict, err := bob.Cancel(ctx, client.Request{Job: job})
			if verdict == nil || verdict.Verdict != test.bob || (test.bob == subjects.VerdictRefused) != errors.Is(err, client.ErrRefused) {
				t.Fatalf("%v: Cancel as bob = %+v, %v, want the verdict %s", test.flags, verdict, err, test.bob)
			}
			if test.bob == subjects.VerdictRefused {
				verdict, err = by.c.Cancel(ctx, client.Request{Job: job, Operator: by.operator})
				if err != nil || verdict == nil || verdict.Verdict != "cancelled" {
					t.Fatalf("%v: Cancel as %s = %+v, %v, want the verdict cancelled", test.flags, by.says, verdict, err)
				}
			}
			view, err := ann.View(ctx)
			must(t, err)
			must(t, view.Until(ctx, func() bool { j := view.State.Job(job); return j != nil && j.Phase == ledger.Cancelled }))
			if got := view.State.Job(job).By.By(); got != by.says {
				t.Errorf("%v: the job was cancelled by %s, want %s", test.flags, got, by.says)
			}
		}
		paused(ctx, t, s, olga, test.byOperator)
		cancel()
	}
}

// A client's key has no right to pause. Its message stays in its own account, and since no answer ever
// comes, the error explains why.
func TestAClientCannotPause(t *testing.T) {
	s := start(t)
	bus := opened(t, s)
	ann := clientOf(t.Context(), t, s, "ann")
	if err := ann.Append(t.Context(), ledger.New(), &subjects.PoolPaused{}); !errors.Is(err, client.ErrForbidden) {
		t.Errorf("Append(PoolPaused) as ann = %v, want ErrForbidden", err)
	}
	if info, err := bus.Log(t.Context()); err != nil || info.Last != 0 {
		t.Errorf("Log() after ann's event = %+v, %v, want an empty log", info, err)
	}
}

// paused pauses a host as an operator, and checks which user the log names.
func paused(ctx context.Context, t *testing.T, s *server.Server, olga *client.Client, says string) {
	t.Helper()
	host, err := jetstream.Attach(ctx, as(t, s, "host-a"), pool)
	must(t, err)
	m, err := subjects.Encode(pool, &subjects.Joined{Host: "a", Format: subjects.Format})
	must(t, err)
	_, err = host.Append(ctx, []subjects.Message{m}, actors.Fence{})
	must(t, err)
	view, err := olga.View(ctx)
	must(t, err)
	must(t, olga.Append(ctx, view.State, &subjects.Paused{Host: "a", Who: client.Who()}))
	must(t, view.Until(ctx, func() bool { return view.State.Host("a").Paused }))
	if got := view.State.Host("a").HeldBy.By(); got != says {
		t.Errorf("the host was paused by %s, want %s", got, says)
	}
}
