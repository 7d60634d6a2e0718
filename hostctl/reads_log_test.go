package hostctl

import (
	"context"
	"sync"
	"testing"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/spec"
)

// countedLog counts how often each entry of the log is delivered.
type countedLog struct {
	actors.Bus
	mu struct {
		sync.Mutex
		times   map[uint64]int
		subject map[uint64]string
	}
}

func (c *countedLog) Follow(ctx context.Context, from uint64, filter string) (<-chan actors.Delivery, error) {
	entries, err := c.Bus.Follow(ctx, from, filter)
	if err != nil {
		return nil, err
	}
	counted := make(chan actors.Delivery)
	go func() {
		defer close(counted)
		for d := range entries {
			c.mu.Lock()
			c.mu.times[d.Seq]++
			c.mu.subject[d.Seq] = d.Subject
			c.mu.Unlock()
			select {
			case counted <- d:
			case <-ctx.Done():
				return
			}
		}
	}()
	return counted, nil
}

// has reports whether the agent was given an entry.
func (c *countedLog) has(seq uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mu.times[seq] > 0
}

// With thousands of hosts, a host that read more than its own entries, or read them twice, would
// cost the server as much as all others together.
func TestAHostReadsItsOwnEntriesOnce(t *testing.T) {
	w := newWorld(t)
	counts := func() *countedLog {
		c := &countedLog{Bus: w.Bus}
		c.mu.times, c.mu.subject = map[uint64]int{}, map[uint64]string{}
		return c
	}
	alpha, beta := w.config("alpha"), w.config("beta")
	ofAlpha, ofBeta := counts(), counts()
	alpha.Bus, beta.Bus = ofAlpha, ofBeta
	a, b := w.host(alpha), w.host(beta)
	w.Submit("job", spec.Stage{Tasks: 8, Argv: sh("true")})
	for task := range uint32(4) {
		a.assign("job", 0, 2*task, 0)
		next[*subjects.Finished](w, nil)
		b.assign("job", 0, 2*task+1, 0)
		next[*subjects.Finished](w, nil)
	}
	check(t, a.stop())
	left, seq := next[*subjects.Left](w, nil)
	again := counts()
	alpha.Bus = again
	w.host(alpha).assign("job", 0, 0, 0) // the host does not know that it is done
	next[*subjects.Finished](w, nil)

	if left.Host != "alpha" || !ofAlpha.has(seq) || !ofBeta.has(b.term) {
		t.Errorf("Left = %+v, want alpha's, which reads entry %d, and beta its join", left, seq)
	}
	ofAlpha.check(t, w, "alpha", 1)
	ofBeta.check(t, w, "beta", 1)
	again.check(t, w, "alpha", seq+1) // its snapshot holds the entries before
}

// check fails for an entry that is another's, from before first, or that came twice.
func (c *countedLog) check(t *testing.T, w *world, host string, first uint64) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for seq, n := range c.mu.times {
		if subject := c.mu.subject[seq]; n != 1 || seq < first || !actors.Match(w.Bus.Pool().OfHost(host), subject) {
			t.Errorf("host %s reads entry %d %d times: %s, want once and of its own", host, seq, n, subject)
		}
	}
}
