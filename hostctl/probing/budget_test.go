package probing

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"lull/subjects/agentpath"
)

func TestBudget(t *testing.T) {
	var b budget
	now := time.Unix(1e9, 0)
	for n := range atOnce {
		if wait, ok := b.take(now); !ok {
			t.Fatalf("probe %d has to wait for %v, want %d at once", n, wait, atOnce)
		}
	}
	if wait, ok := b.take(now); ok || wait != every {
		t.Errorf("take() of a budget that is used up = %v, %t, want to wait for %v", wait, ok, every)
	}
	if wait, ok := b.take(now.Add(every / 3)); ok || wait != every-every/3 {
		t.Errorf("take() later = %v, %t, want to wait for the rest, %v", wait, ok, every-every/3)
	}
	now = now.Add(every)
	if wait, ok := b.take(now); !ok {
		t.Errorf("take() after %v has to wait for %v, want one more probe", every, wait)
	}
	if _, ok := b.take(now); ok {
		t.Error("take() gives two probes in place of one")
	}
}

func TestProbesBeyondTheBudget(t *testing.T) {
	spent := func() *Prober { return &Prober{budget: budget{time.Now().Add(2 * atOnce * every)}} }
	for name, c := range map[string]struct {
		a, b   *Prober
		status int
		text   string
	}{
		"of the agent that is asked": {spent(), &Prober{}, http.StatusTooManyRequests, "this agent has used up its probes"},
		"of the other one":           {&Prober{}, spent(), http.StatusBadGateway, "host b: this agent has used up its probes"},
	} {
		a, _ := pair(t, c.a, c.b)
		if status, text := get(t, a+agentpath.ProbeOf("b")); status != c.status || !strings.Contains(text, c.text) {
			t.Errorf("%s: probe = %d %s, want %d %s", name, status, text, c.status, c.text)
		}
	}
}
