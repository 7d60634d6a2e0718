package main

import (
	"encoding/json"
	"math"
	"net"
	"net/netip"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestTimesArePoissonAndTheSameForASeed(t *testing.T) {
	o := Order{Seed: 7, Phases: []Phase{{Rate: 1000, Seconds: 20}, {Rate: 0, Seconds: 1}, {Rate: 100, Seconds: 10}}}
	due := o.times()
	first, gaps, squares := 0, 0.0, 0.0
	for i, at := range due {
		if at < 20*time.Second {
			first++
		}
		if at >= 20*time.Second && at < 21*time.Second {
			t.Fatalf("request due at %v, want none from 20s to 21s", at)
		}
		if i > 0 && at < 20*time.Second {
			gap := (at - due[i-1]).Seconds()
			gaps, squares = gaps+gap, squares+gap*gap
		}
	}
	if math.Abs(float64(first)-20_000) > 600 || math.Abs(float64(len(due)-first)-1000) > 130 {
		t.Errorf("requests of the first phase and after = %d and %d, want about 20000 and 1000", first, len(due)-first)
	}
	// An exponential's variance is its mean squared.
	mean := gaps / float64(first)
	if spread := (squares/float64(first) - mean*mean) / (mean * mean); math.Abs(spread-1) > 0.1 {
		t.Errorf("variance of the gaps = %v of their mean squared, want about 1", spread)
	}
	if again := o.times(); !slices.Equal(again, due) {
		t.Errorf("times() of the same order again = %d other times, want the same %d", len(again), len(due))
	}
}

func TestAnswerIsWholeByItsLength(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n": false,
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx":  false,
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nxy": true,
		"HTTP/1.1 204 No Content\r\n\r\n":                true,
	} {
		if whole([]byte(text)) != want {
			t.Errorf("whole(%q) = %v, want %v", text, !want, want)
		}
	}
}

// Each kind of server must answer its users' requests. A user without an answer is counted.
func TestUsersAreServed(t *testing.T) {
	for _, kind := range []string{"go", "workers"} {
		t.Run(kind, func(t *testing.T) {
			listener := serving(t, kind)
			r, err := fulfil(Order{Seed: 1, Phases: []Phase{{Rate: 200, Seconds: 0.3}}}, address(t, listener))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Took) < 20 || r.Lost == len(r.Took) {
				t.Fatalf("requests without an answer = %d of %d, want fewer than all, of at least 20", r.Lost, len(r.Took))
			}
			for i, took := range r.Took {
				if took <= 0 || r.Due[i] < 0 || i > 0 && r.Due[i] < r.Due[i-1] {
					t.Fatalf("request %d, due at %d ns, took %d ns, want times in order and above 0", i, r.Due[i], took)
				}
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestASenderWithoutAnAnswerWaitsToTheEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // nothing accepts
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // nothing was sent through it
	r, err := fulfil(Order{Seed: 2, Phases: []Phase{{Rate: 100, Seconds: 0.2}}}, address(t, listener))
	if err != nil {
		t.Fatal(err)
	}
	if r.Lost != len(r.Took) || r.Lost == 0 {
		t.Fatalf("requests lost = %d of %d, want all", r.Lost, len(r.Took))
	}
	for i := range r.Took {
		if r.Due[i]+r.Took[i] != int64(200*time.Millisecond) {
			t.Errorf("request %d ended at %d ns, want %d, the end of the order", i, r.Due[i]+r.Took[i], 200*time.Millisecond)
		}
	}
}

func serving(t *testing.T, kind string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- serveOn(listener, kind, 1000) }()
	t.Cleanup(func() {
		_ = listener.Close()
		if err := <-ended; err != nil {
			t.Errorf("serveOn(%s) = %v, want no error", kind, err)
		}
	})
	return listener
}

func address(t *testing.T, listener net.Listener) netip.AddrPort {
	t.Helper()
	to, err := netip.ParseAddrPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func TestBatchEndsWithItsFile(t *testing.T) {
	for kind := range kinds {
		if err := batch([]string{kind, t.TempDir()}); err != nil { // the folder is there already
			t.Errorf("batch(%s) with its stop file there = %v, want no error", kind, err)
		}
	}
	if err := batch([]string{"nothing", filepath.Join(t.TempDir(), "stop")}); err == nil {
		t.Error("batch(nothing) = nil error, want an error")
	}
}

func TestUnknownVerbsAndServersAreRefused(t *testing.T) {
	for _, args := range [][]string{nil, {"dance"}, {"load"}, {"load", "nowhere"}, {"batch", "pi"}, {"-nice", "x"}} {
		if err := run(args); err == nil {
			t.Errorf("run(%q) = nil error, want an error", args)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := serveOn(listener, "apache", 1); err == nil {
		t.Error("serveOn(apache) = nil error, want an error")
	}
}

func TestOnlyThreadsThatWantToRunAreMoved(t *testing.T) {
	line := func(state string, core string) string {
		return "7 (a b) c) " + state + strings.Repeat(" 0", 35) + " " + core + " 0 0\n"
	}
	for text, want := range map[string]int{
		line("R", "3"): 3, line("S", "3"): -1, "": -1, "7 (x) R 1 2": -1, line("R", "x"): -1, line("R", "-2"): -1,
	} {
		core, ok := parseWaiting([]byte(text))
		if ok != (want >= 0) || ok && core != want {
			t.Errorf("parseWaiting(%q) = core %d, %v, want core %d, -1 for none", text, core, ok, want)
		}
	}
}

func TestMovedThreadKeepsItsCores(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	for core := range runtime.NumCPU() {
		if err := move(unix.Gettid(), core); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.SchedGetaffinity(0, &after); err != nil || after != before {
		t.Errorf("cores of the thread after move = %v, %v, want %v as before", after, err, before)
	}
	if err := move(1<<30, 0); err != nil {
		t.Errorf("move(a thread that ended) = %v, want no error", err)
	}
}
