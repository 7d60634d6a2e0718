package core

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestClock: an actor's time follows the log and runs on between entries. It does not go back when
// an entry is older than the time that the actor has seen.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		log := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		c.observe(now(), log, true)
		time.Sleep(3 * time.Second)
		if got := c.now(now()); !got.Equal(log.Add(3 * time.Second)) {
			t.Errorf("now() three seconds after the entry = %v, want %v", got, log.Add(3*time.Second))
		}
		c.observe(now(), log.Add(time.Second), true)
		if got := c.now(now()); !got.Equal(log.Add(3 * time.Second)) {
			t.Errorf("now() after an older entry = %v, want %v", got, log.Add(3*time.Second))
		}
		time.Sleep(5 * time.Second)
		if got := c.now(now()); !got.Equal(log.Add(6 * time.Second)) {
			t.Errorf("now() five seconds after the second entry = %v, want %v", got, log.Add(6*time.Second))
		}
	})
}

// settledClock returns a clock that has followed a log for a while, and its time.
func settledClock() (c clock, log time.Time) {
	log = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 3 {
		c.observe(now(), log, true)
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
			c.observe(now(), log.Add(wrong), true)
			if got := c.now(now()); !got.Equal(log) {
				t.Errorf("now() after an entry %v off = %v, want %v", wrong, got, log)
			}
			time.Sleep(time.Minute)
			c.observe(now(), log.Add(time.Minute), true)
			if got := c.now(now()); !got.Equal(log.Add(time.Minute)) {
				t.Errorf("now() a minute after an entry %v off = %v, want %v", wrong, got, log.Add(time.Minute))
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
				c.observe(now(), log.Add(set), true)
				time.Sleep(time.Second)
				log = log.Add(time.Second)
			}
			if got := c.now(now()); !got.Equal(log.Add(set)) {
				t.Errorf("now() %v after a clock was set by %v = %v, want %v", 40*time.Second, set, got, log.Add(set))
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
			c.observe(now(), log.Add(-time.Second), false)
			c.observe(now(), log.Add(last), true)
			c.now(now())
			time.Sleep(time.Second)
			c.observe(now(), log, true)
			if got := c.now(now()); !got.Equal(log) {
				t.Errorf("now() at the first live entry behind one %v off = %v, want %v", last, got, log)
			}
			c.observe(now(), log.Add(time.Second), true)
			if !c.settled {
				t.Error("settled = false after two live entries that agree, want true")
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
			c.observe(now(), log.Add(time.Duration(behind)*time.Minute), false)
			time.Sleep(time.Second)
		}
		if got, want := c.now(now()), log.Add(2*time.Hour+100*time.Second); !got.Equal(want) {
			t.Errorf("now() = %v, want %v", got, want)
		}
	})
}

// now is the moment in a bubble of synctest.
func now() *Moment { return &Moment{Elapsed: time.Since(bubble), Wall: time.Now()} }

// bubble is when the clocks of all bubbles begin.
var bubble = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
