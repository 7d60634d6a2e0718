package chaos

import (
	"strings"
	"testing"
)

// TestEachReplicaIsCompared: the watcher notices a replica whose state differs, whichever it is.
func TestEachReplicaIsCompared(t *testing.T) {
	script := &Script{Seed: 5}
	r, c, err := watched(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.checkEnd(r); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, name := range c.names {
		state := c.w.State(name)
		if state == nil || state.Seq != c.w.Ledger().Seq {
			continue
		}
		compared++
		state.Paused = !state.Paused
		if err := c.checkEnd(r); err == nil || !strings.Contains(err.Error(), name+" folded the log to another state") {
			t.Errorf("checkEnd() with another state of %s = %v, want an error that names it", name, err)
		}
		state.Paused, c.found = !state.Paused, nil
	}
	if compared <= maxFound {
		t.Errorf("replicas compared = %d, want more than %d: draw a larger pool", compared, maxFound)
	}
}
