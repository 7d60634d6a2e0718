package shell

import (
	"lull/actors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMailbox(t *testing.T) {
	m := newMailbox()
	var got []int
	m.post(func() { got = append(got, 1); m.post(func() { got = append(got, 3) }) })
	m.post(func() { got = append(got, 2) })
	if !m.offer(backlogBytes, func() {}) {
		t.Error("offer(below the limits) = false, want true")
	}
	if m.offer(1, func() { got = append(got, 9) }) {
		t.Error("offer(beyond the limit of bytes) = true, want false")
	}
	m.run()
	for range backlog {
		m.offer(0, func() {})
	}
	if m.offer(0, func() { got = append(got, 9) }) {
		t.Error("offer(beyond the limit of messages) = true, want false")
	}
	m.run()
	if !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("ran = %v, want [1 2 3]", got)
	}
}

func TestWaiters(t *testing.T) {
	byID, byBytes := messageKey{"id x", true}, messageKey{"hash", false}
	w := newWaiters(10)
	w.add(byID, "one")
	w.add(byID, "two")
	w.arrived(7, arrival{byID, true})
	if got := w.waiting(7); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("waiting(7) = %v, want [one two]", got)
	}
	if got := w.settle(7, []byte("v")); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("settle(7) = %v, want [one two]", got)
	}
	if v, known := w.add(byID, "three"); !known || string(v) != "v" {
		t.Errorf("add(a repeat) = %q, %v, want v, true", v, known)
	}

	w.add(byBytes, "")
	w.add(byBytes, "second")
	w.arrived(8, arrival{byBytes, true})
	w.arrived(9, arrival{byBytes, true})
	if got := w.waiting(8); len(got) != 0 {
		t.Errorf("waiting(8) = %v, want none: the first of equal messages has no reply subject", got)
	}
	if got := w.settle(8, []byte("8")); len(got) != 0 {
		t.Errorf("settle(8) = %v, want none: the first of equal messages has no reply subject", got)
	}
	if got := w.settle(9, []byte("9")); !slices.Equal(got, []string{"second"}) {
		t.Errorf("settle(9) = %v, want [second]", got)
	}

	w.arrived(10, arrival{byBytes, true})
	w.settle(10, []byte("10"))
	if v, known := w.add(byBytes, "late"); !known || string(v) != "10" {
		t.Errorf("add(after the verdict) = %q, %v, want 10, true", v, known)
	}
	w.arrived(11, arrival{byBytes, false})
	w.settle(11, []byte("11"))
	if _, known := w.add(byBytes, "another"); known {
		t.Error("add(another) = true after a message from before we listened, want false")
	}
}

func TestConfigIsChecked(t *testing.T) {
	_, err := New(Config{Role: actors.Role{Name: "a.b", Lease: time.Millisecond, Asks: []string{"x"}}})
	for _, want := range []string{"Actor is missing", "Bus is missing", "no Answerer", "Lease is shorter", `Name "a.b" holds '.'`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
}

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l limiter
		passed := 0
		for range 100 {
			if l.pass() {
				passed++
			}
		}
		time.Sleep(time.Second)
		if !l.pass() || passed != quarantinePerSecond {
			t.Errorf("passed in the first second = %d, want %d", passed, quarantinePerSecond)
		}
	})
}
