package pacing

import (
	"fmt"
	"log/slog"
	"testing"

	"lull/hostctl/pace"
)

// On a host where every job has a type of its own, the number of kinds must stay bounded. Kinds
// with running tasks stay.
func TestKindsOfThePastAreForgotten(t *testing.T) {
	p := New(nil, 4, slog.New(slog.DiscardHandler))
	m := pace.Model{A: 0.5, B: 1e6}
	p.mu.tasks[1] = &Task{model: "runs"}
	p.AddModel("runs", m)
	for i := range 4 * maxKinds {
		p.AddModel(fmt.Sprintf("once-%d", i), m)
		if n := len(p.mu.models); n > maxKinds+1 {
			t.Fatalf("kinds remembered = %d, want at most %d", n, maxKinds+1)
		}
	}
	for _, kind := range []string{"runs", fmt.Sprintf("once-%d", 4*maxKinds-1)} {
		if _, known := p.mu.models[kind]; !known {
			t.Errorf("kinds remembered = %d without %s, want it among them", len(p.mu.models), kind)
		}
	}
}
