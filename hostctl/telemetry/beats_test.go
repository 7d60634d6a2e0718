package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lull/subjects"
)

// counter is a bus that counts messages.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) Publish(string, []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return nil
}

func (c *counter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// A heartbeat is sent once a second, and soon after each change; changes of one moment go out
// together.
func TestBeatsAreSentRegularlyAndAfterChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := &counter{}
		b := NewBeats(Sender{Pool: "test", Bus: bus}, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go b.Run(ctx)
		time.Sleep(5 * time.Second)
		if n := bus.count(); n != 0 {
			t.Fatalf("heartbeats before the first is set = %d, want 0", n)
		}
		time.Sleep(beatInterval / 2)
		b.Set(subjects.Beat{Host: "alpha", Term: 1})
		synctest.Wait()
		for range 100 {
			b.Set(subjects.Beat{Host: "alpha", Term: 1})
		}
		time.Sleep(2 * beatSpacing)
		if n := bus.count(); n != 2 {
			t.Errorf("%d heartbeats after the changes of two moments, want 2", n)
		}
		time.Sleep(10 * beatInterval)
		if n := bus.count(); n != 12 {
			t.Errorf("%d heartbeats ten seconds later, want 12", n)
		}
	})
}
