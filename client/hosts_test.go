package client_test

import (
	"errors"
	"testing"

	"lull/client"
	"lull/subjects"
)

// states are the states of the pool's hosts, by name.
func (r *rig) states(t *testing.T) map[string]string {
	t.Helper()
	v, err := r.View(t.Context())
	must(t, err)
	states := map[string]string{}
	for _, h := range v.State.Hosts() {
		states[h.Name] = h.State()
	}
	return states
}

func TestOrdersToHosts(t *testing.T) {
	r, ctx := newRig(t)
	r.append(t, ctx, &subjects.Joined{Host: "a", Cores: 1, Slots: 1, Memory: 1 << 30}, &subjects.Joined{Host: "b", Cores: 1, Slots: 1, Memory: 1 << 30})
	for _, step := range []struct {
		name string
		give func() error
		a, b string
	}{
		{"pause", func() error { return r.Pause(ctx, "slow", "a") }, "paused", "up"},
		{"resume", func() error { return r.Resume(ctx, "a") }, "up", "up"},
		{"drain", func() error { return r.Drain(ctx, "", "a", "b") }, "draining", "draining"},
		{"resume all", func() error { return r.ResumeAll(ctx) }, "up", "up"},
		{"drain all", func() error { return r.DrainAll(ctx, "") }, "draining", "draining"},
		{"pause all", func() error { return r.PauseAll(ctx, "slow") }, "paused", "paused"},
	} {
		must(t, step.give())
		if got := r.states(t); got["a"] != step.a || got["b"] != step.b {
			t.Errorf("after %s the hosts are %v, want a %s and b %s", step.name, got, step.a, step.b)
		}
	}
}

// An order that names one wrong host changes none.
func TestAWrongHostChangesNone(t *testing.T) {
	r, ctx := newRig(t)
	r.append(t, ctx, &subjects.Joined{Host: "a", Cores: 1, Slots: 1, Memory: 1 << 30})
	if err := r.Pause(ctx, "", "a", "b"); !errors.Is(err, client.ErrNoHost) {
		t.Errorf("Pause(an unknown host) = %v, want ErrNoHost", err)
	}
	if err := r.Forget(ctx, "", "a"); !errors.Is(err, client.ErrHostUp) {
		t.Errorf("Forget(a host that is up) = %v, want ErrHostUp", err)
	}
	if got := r.states(t)["a"]; got != "up" {
		t.Errorf("state of a = %s, want up", got)
	}
}
