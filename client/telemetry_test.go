package client_test

import (
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"lull/subjects"
)

// speak sends samples again and again until the test ends: a late listener receives the next ones.
func (r *rig) speak(t *testing.T, samples ...subjects.Telemetry) {
	t.Helper()
	var speaker sync.WaitGroup
	done := make(chan struct{})
	t.Cleanup(func() { close(done); speaker.Wait() })
	speaker.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			for _, s := range samples {
				m, err := subjects.EncodeTelemetry(pool, s)
				if err == nil {
					err = r.bus.Publish(m.Subject, m.Body)
				}
				if err == nil {
					err = r.nc.Flush()
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
}

func TestAQuestionIsAnsweredForEachHost(t *testing.T) {
	r, ctx := newRig(t)
	r.speak(t,
		&subjects.Usage{Host: "alpha", Cores: 2}, &subjects.Speeds{Host: "alpha", Tasks: []subjects.Speed{{Attempt: 7}}},
		&subjects.Usage{Host: "beta", Cores: 4}, &subjects.Speeds{Host: "beta", Tasks: []subjects.Speed{{Attempt: 8}}})
	usage, err := r.LastUsage(ctx, []string{"alpha", "beta"})
	must(t, err)
	if len(usage) != 2 || usage["alpha"].Cores != 2 || usage["beta"].Cores != 4 {
		t.Errorf("usage = %v, want alpha with 2 cores and beta with 4", usage)
	}
	speeds, err := r.LastSpeeds(ctx, []string{"alpha", "beta"})
	must(t, err)
	if _, ok := speeds[subjects.AttemptOn{Host: "beta", Attempt: 8}]; len(speeds) != 2 || !ok {
		t.Errorf("speeds = %v, want two, one of attempt 8", speeds)
	}
}

// Samples are as old as they are here, whatever the clock of their host says.
func TestAHostsClockMayBeWrong(t *testing.T) {
	r, ctx := newRig(t)
	for host, wrong := range map[string]time.Duration{"ahead": time.Hour, "behind": -time.Hour} {
		r.speak(t, &subjects.Usage{Host: host, At: time.Now().Add(wrong).UnixNano()})
		usage, err := r.LastUsage(ctx, []string{host})
		must(t, err)
		if u := usage[host]; u == nil || !u.Fresh(time.Now().UnixNano()) {
			t.Errorf("the sample of a host whose clock is %s does not count: %+v", host, u)
		}
	}
}

func TestAHostThatIsSilentIsNotWaitedForLong(t *testing.T) {
	r, ctx := newRig(t)
	usage, err := r.LastUsage(ctx, []string{"mute"})
	if err != nil || len(usage) != 0 || ctx.Err() != nil {
		t.Errorf("LastUsage(mute) = %v, %v, want none before the time limit", usage, err)
	}
}

// Where a slotter answers, no sample has to be waited for.
func TestTheSlotterTellsWhatHostsPublishedLast(t *testing.T) {
	r, ctx := newRig(t)
	pages := map[string]subjects.UsageAnswer{
		"":      {Next: "alpha", Hosts: []subjects.HostUsage{{Host: "alpha", Usage: &subjects.Usage{Primary: 2}, Tasks: []subjects.Speed{{Attempt: 7}}}}},
		"alpha": {Hosts: []subjects.HostUsage{{Host: "beta", Usage: &subjects.Usage{Primary: 4}}}},
	}
	sub, err := r.nc.Subscribe(pool.Ask(subjects.AskUsage), func(m *nats.Msg) {
		var ask subjects.UsageAsk
		must(t, subjects.Unmarshal(m.Data, &ask))
		answer := pages[ask.After]
		body, err := subjects.Marshal(&answer)
		must(t, err)
		must(t, m.Respond(body))
	})
	must(t, err)
	defer sub.Unsubscribe() //nolint:errcheck // the test is over
	must(t, r.nc.Flush())
	usage, err := r.LastUsage(ctx, []string{"alpha", "beta"})
	must(t, err)
	if len(usage) != 2 || usage["alpha"].Primary != 2 || usage["beta"].Primary != 4 || usage["beta"].Host != "beta" {
		t.Errorf("usage = %v, want alpha with 2 and beta with 4 of the primary", usage)
	}
	// The client does not wait for a host without heartbeats: it may be dead.
	r.speak(t, &subjects.Usage{Host: "unheard"})
	if usage, err = r.LastUsage(ctx, []string{"alpha", "unheard"}); err != nil || usage["unheard"] != nil {
		t.Errorf("LastUsage(alpha, unheard) = %v, %v, want none of unheard", usage, err)
	}
	speeds, err := r.LastSpeeds(ctx, []string{"alpha", "beta"})
	must(t, err)
	if _, ok := speeds[subjects.AttemptOn{Host: "alpha", Attempt: 7}]; len(speeds) != 1 || !ok {
		t.Errorf("speeds = %v, want those of attempt 7", speeds)
	}
}
