package interrupt

import (
	"context"
	"os"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestNohupIsRespected(t *testing.T) {
	for _, nohup := range []bool{false, true} {
		some := caught(func(os.Signal) bool { return nohup })
		if slices.Contains(some, os.Signal(syscall.SIGHUP)) == nohup {
			t.Errorf("SIGHUP ignored: %v, signals caught: %v", nohup, some)
		}
	}
}

// TestInterruptsAskThenInsist feeds the signals by hand: what the kernel
// delivers would reach the whole test process.
func TestInterruptsAskThenInsist(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal)
		on := countSignals(t.Context(), signals)
		defer on.Stop()
		check := func(when string, asked, insisted bool) {
			t.Helper()
			synctest.Wait()
			if (on.Asked.Err() != nil) != asked || (on.Insisted.Err() != nil) != insisted {
				t.Errorf("%s: asked %v, insisted %v", when, on.Asked.Err(), on.Insisted.Err())
			}
		}
		check("at first", false, false)
		signals <- syscall.SIGINT
		check("after one", true, false)
		signals <- syscall.SIGINT
		check("after its echo", true, false)
		<-time.After(echo + time.Millisecond)
		signals <- syscall.SIGTERM
		check("after another", true, true)
		if !on.Twice() {
			t.Error("it was insisted, and not said")
		}
	})
}

func TestInterruptsEndWithTheirParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		on := countSignals(ctx, make(chan os.Signal))
		cancel()
		<-on.Asked.Done()
		<-on.Insisted.Done()
		if on.Twice() {
			t.Error("nobody pressed")
		}
	})
}
