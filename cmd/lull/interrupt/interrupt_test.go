package interrupt

import (
	"context"
	"errors"
	"os"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"lull/cmd/lull/exit"
)

func TestNohupIsRespected(t *testing.T) {
	for _, nohup := range []bool{false, true} {
		some := caught(func(os.Signal) bool { return nohup })
		if slices.Contains(some, os.Signal(syscall.SIGHUP)) == nohup {
			t.Errorf("caught() with SIGHUP ignored = %v: %v, want SIGHUP only if it is not", nohup, some)
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
				t.Errorf("%s: asked = %v, insisted = %v, want them over: %v, %v", when, on.Asked.Err(), on.Insisted.Err(), asked, insisted)
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
			t.Error("Twice() after a second signal = false, want true")
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
			t.Error("Twice() without a signal = true, want false")
		}
	})
}

func TestOutputThatCannotBeWrittenAsksForAnEnd(t *testing.T) {
	for _, c := range []struct {
		fails error
		code  int
	}{{syscall.EPIPE, exit.Unread}, {syscall.ENOSPC, exit.Error}} {
		on := countSignals(t.Context(), make(chan os.Signal))
		if _, err := on.Output(failing{c.fails}).Write([]byte("x")); !errors.Is(err, c.fails) {
			t.Errorf("Write() = %v, want %v", err, c.fails)
		}
		<-on.Asked.Done()
		if got := exit.Code(on.Exit()); got != c.code || !errors.Is(on.Unwritten(), c.fails) {
			t.Errorf("exit code after %v = %d, Unwritten() = %v, want %d and that error", c.fails, got, on.Unwritten(), c.code)
		}
		on.Stop()
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestAPipeThatIsNotReadAnyMoreAsksForAnEnd(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close() //nolint:errcheck // nothing was written
	on := countSignals(t.Context(), make(chan os.Signal))
	defer on.Stop()
	on.Output(w)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	<-on.Asked.Done()
	if !errors.Is(on.Unwritten(), syscall.EPIPE) {
		t.Errorf("Unwritten() = %v, cause = %v, want EPIPE", on.Unwritten(), context.Cause(on.Asked))
	}
}
