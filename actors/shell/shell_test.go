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
		t.Error("an offer below the limits was not taken")
	}
	if m.offer(1, func() { got = append(got, 9) }) {
		t.Error("an offer beyond the limit of bytes was taken")
	}
	m.run()
	for range backlog {
		m.offer(0, func() {})
	}
	if m.offer(0, func() { got = append(got, 9) }) {
		t.Error("an offer beyond the limit of messages was taken")
	}
	m.run()
	if !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("ran %v", got)
	}
}

func TestWaiters(t *testing.T) {
	byID, byBytes := messageKey{"id x", true}, messageKey{"hash", false}
	w := newWaiters(10)
	w.add(byID, "one")
	w.add(byID, "two")
	w.arrived(7, arrival{byID, true})
	if got := w.settle(7, []byte("v")); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("all senders of an id wait: %v", got)
	}
	if v, known := w.add(byID, "three"); !known || string(v) != "v" {
		t.Errorf("a repeat is told %q, %v", v, known)
	}

	w.add(byBytes, "")
	w.add(byBytes, "second")
	w.arrived(8, arrival{byBytes, true})
	w.arrived(9, arrival{byBytes, true})
	if got := w.settle(8, []byte("8")); len(got) != 0 {
		t.Errorf("the first of equal messages gave no reply subject: %v", got)
	}
	if got := w.settle(9, []byte("9")); !slices.Equal(got, []string{"second"}) {
		t.Errorf("the second waits on %v", got)
	}

	w.arrived(10, arrival{byBytes, true})
	w.settle(10, []byte("10"))
	if v, known := w.add(byBytes, "late"); !known || string(v) != "10" {
		t.Errorf("the core copy came after the verdict: %q, %v", v, known)
	}
	w.arrived(11, arrival{byBytes, false})
	w.settle(11, []byte("11"))
	if _, known := w.add(byBytes, "another"); known {
		t.Error("a message from before we listened left its verdict to another")
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
			t.Errorf("%d passed in the first second", passed)
		}
	})
}
