package shell_test

import (
	"context"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/subjects"
)

// collected is an actor that notes the value of GOGC when it is restored.
type collected struct {
	mute
	during []int
}

func (c *collected) Restore([]byte) error {
	c.during = append(c.during, percent())
	return nil
}

func percent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

func TestTheCollectorPausesDuringARestore(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	synctest.Test(t, func(t *testing.T) {
		bus := &counting{Bus: memory.New("test")}
		ctx, stop := context.WithCancel(t.Context())
		hostShell(t, ctx, bus, "a")
		m, err := subjects.Encode("test", &subjects.Resumed{Host: "a"})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := bus.Append(ctx, []subjects.Message{m}, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		stop()
		synctest.Wait()
		if bus.saved() == 0 {
			t.Fatal("snapshots saved = 0, want one to restore from")
		}
		ctx, stop = context.WithCancel(t.Context())
		defer stop()
		again, cfg := &collected{}, hostConfig(bus, "a")
		cfg.Actor = again
		running(t, ctx, cfg)
		if len(again.during) == 0 || again.during[0] != -1 {
			t.Errorf("GOGC during a restore = %v, want -1: no collection", again.during)
		}
		if got := percent(); got != 70 {
			t.Errorf("GOGC after it = %d, want the 70 of before", got)
		}
	})
}
