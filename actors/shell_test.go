package actors

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, subject string
		want             bool
	}{
		{"", "a.b", true},
		{"a.b", "a.b", true}, {"a.b", "a.c", false}, {"a.b", "a", false}, {"a", "a.b", false},
		{"a.*", "a.b", true}, {"a.*", "a.b.c", false}, {"a.*", "a", false}, {"*.b", "a.b", true},
		{"a.>", "a.b.c", true}, {"a.>", "a", false}, {">", "a", true},
	} {
		if got := Match(test.pattern, test.subject); got != test.want {
			t.Errorf("Match(%q, %q) = %v", test.pattern, test.subject, got)
		}
	}
}

// TestClock: an actor's time follows the log, runs on between entries, and
// does not go back when an entry is older than what was said.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		log := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		c.observe(log, true)
		time.Sleep(3 * time.Second)
		if got := c.now(); !got.Equal(log.Add(3 * time.Second)) {
			t.Errorf("three seconds after the entry it is %v", got)
		}
		c.observe(log.Add(time.Second), true)
		if got := c.now(); !got.Equal(log.Add(3 * time.Second)) {
			t.Errorf("an older entry moved the time to %v", got)
		}
		time.Sleep(5 * time.Second)
		if got := c.now(); !got.Equal(log.Add(6 * time.Second)) {
			t.Errorf("five seconds after the second entry it is %v", got)
		}
	})
}

// settledClock returns a clock that has followed a log for a while, and its time.
func settledClock() (c clock, log time.Time) {
	log = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 3 {
		c.observe(log, true)
		time.Sleep(time.Second)
		log = log.Add(time.Second)
	}
	return c, log
}

// One entry that is stamped a day ahead, or behind, does not move a shell's clock.
func TestOneWrongStampMovesNoClock(t *testing.T) {
	for _, wrong := range []time.Duration{24 * time.Hour, -24 * time.Hour, 2 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			c, log := settledClock()
			c.observe(log.Add(wrong), true)
			if got := c.now(); !got.Equal(log) {
				t.Errorf("an entry %v off moved the time to %v", wrong, got)
			}
			time.Sleep(time.Minute)
			c.observe(log.Add(time.Minute), true)
			if got := c.now(); !got.Equal(log.Add(time.Minute)) {
				t.Errorf("a minute after an entry %v off it is %v", wrong, got)
			}
		})
	}
}

// After the server's clock was set, a shell adopts the new time once entries have
// agreed on it for a while.
func TestAClockThatWasSetIsBelieved(t *testing.T) {
	for _, set := range []time.Duration{24 * time.Hour, -24 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			c, log := settledClock()
			for range 40 {
				c.observe(log.Add(set), true)
				time.Sleep(time.Second)
				log = log.Add(time.Second)
			}
			if got := c.now(); !got.Equal(log.Add(set)) {
				t.Errorf("%v after a clock was set by %v it is %v", 40*time.Second, set, got)
			}
		})
	}
}

// The last entry before a start may be days old, or stamped wrongly: the first live
// entry sets the clock, whatever was read before.
func TestTheFirstLiveEntryTellsTheTime(t *testing.T) {
	for _, last := range []time.Duration{-72 * time.Hour, 24 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			var c clock
			log := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
			c.observe(log.Add(-time.Second), false)
			c.observe(log.Add(last), true)
			c.now()
			time.Sleep(time.Second)
			c.observe(log, true)
			if got := c.now(); !got.Equal(log) {
				t.Errorf("behind an entry %v off the first live one moved the time to %v", last, got)
			}
			c.observe(log.Add(time.Second), true)
			if !c.settled {
				t.Error("two live entries that agree do not settle the clock")
			}
		})
	}
}

// An entry that arrives late, because this process or its connection was suspended,
// does not turn the clock back.
func TestLateNewsTurnNoTimeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := settledClock()
		time.Sleep(2 * time.Hour)
		for behind := range 100 {
			c.observe(log.Add(time.Duration(behind)*time.Minute), false)
			time.Sleep(time.Second)
		}
		if got, want := c.now(), log.Add(2*time.Hour+100*time.Second); !got.Equal(want) {
			t.Errorf("it is %v, want %v", got, want)
		}
	})
}

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

func TestBounded(t *testing.T) {
	b := newBounded[int, string](3)
	for i := range 5 {
		b.put(i, fmt.Sprint(i))
	}
	b.put(3, "three")
	if _, known := b.get(1); known || len(b.values) != 3 {
		t.Errorf("holds %v", b.values)
	}
	if v, ok := b.take(3); !ok || v != "three" {
		t.Errorf("took %q, %v", v, ok)
	}
	for i := range 100 { // what was taken must not pile up either
		b.put(100+i, "")
		b.take(100 + i)
	}
	if len(b.order) > 6 {
		t.Errorf("%d keys of %d values", len(b.order), len(b.values))
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
	_, err := New(Config{Name: "a.b", Lease: time.Millisecond, Asks: []string{"x"}})
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
		if !l.pass() || passed != asidePerSecond {
			t.Errorf("%d passed in the first second", passed)
		}
	})
}
