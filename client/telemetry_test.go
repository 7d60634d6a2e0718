package client_test

import (
	"sync"
	"testing"

	"lull/subjects"
)

// speak sends samples again and again until the test ends: who begins to listen late
// hears the next ones.
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

func TestWhoAsksHearsEachHost(t *testing.T) {
	r, ctx := newRig(t)
	r.speak(t,
		&subjects.Usage{Host: "alpha", Cores: 2}, &subjects.Speeds{Host: "alpha", Tasks: []subjects.Speed{{Attempt: 7}}},
		&subjects.Usage{Host: "beta", Cores: 4}, &subjects.Speeds{Host: "beta", Tasks: []subjects.Speed{{Attempt: 8}}})
	usage, err := r.LastUsage(ctx, []string{"alpha", "beta"})
	must(t, err)
	if len(usage) != 2 || usage["alpha"].Cores != 2 || usage["beta"].Cores != 4 {
		t.Errorf("usage %v", usage)
	}
	speeds, err := r.LastSpeeds(ctx, []string{"alpha", "beta"})
	must(t, err)
	if _, ok := speeds[8]; len(speeds) != 2 || !ok {
		t.Errorf("speeds %v", speeds)
	}
}

func TestAHostThatIsSilentIsNotWaitedForLong(t *testing.T) {
	r, ctx := newRig(t)
	usage, err := r.LastUsage(ctx, []string{"mute"})
	if err != nil || len(usage) != 0 || ctx.Err() != nil {
		t.Errorf("%v, %v", usage, err)
	}
}
