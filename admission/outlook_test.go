package admission

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/room"
	"lull/subjects/tct"
)

// see publishes what a host leaves idle now, and left on average over a time.
func (p *driver) see(host string, now, usual float64, observed time.Duration) {
	p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: host, Cores: 4, Idle: now, Usual: usual, Observed: observed.Seconds()}})
}

// busy is a pool of one host of four cores that are all taken at present.
func busy(t *testing.T, usual float64, observed time.Duration) *driver {
	p := newDriver(t, Config{})
	p.join("a", 4)
	for range 60 {
		p.now = p.now.Add(10 * time.Second)
		p.see("a", 0, usual, observed)
	}
	return p
}

func TestABusyMomentIsNotTheFuture(t *testing.T) {
	p := busy(t, 2, 48*time.Hour)
	if v := p.submit(1, "24h"); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("a job of ten seconds with a day's time: %+v", v)
	}
	if v := p.submit(1, "30s"); v.Verdict != subjects.VerdictRejected {
		t.Errorf("in the next minutes the present counts: %+v", v)
	}
}

func TestAHostThatIsAlwaysBusyIsKnownToBe(t *testing.T) {
	if v := busy(t, 0.01, 7*24*time.Hour).submit(1, "24h"); v.Verdict != subjects.VerdictRejected {
		t.Errorf("a host that left nothing for a week: %+v", v)
	}
	if v := busy(t, 0, time.Minute).submit(1, "24h"); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("a host that was seen for a minute: %+v", v)
	}
}

// A host that is idle now and usually is not holds less in an hour than it seems to.
func TestAnIdleMomentIsNotTheFutureEither(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.see("a", 4, 4, 100*time.Hour)
	p.now = p.now.Add(time.Minute)
	p.see("a", 4, 0.5, 100*time.Hour)
	id := p.submit(4*3600, "").Job // ten hours on four idle cores
	if got := p.predicted(id); got < 60*time.Hour {
		t.Errorf("40 core-hours at 0.5 cores are predicted to take %v", got)
	}
	if got := p.predicted(p.submit(4, "").Job); got < 60*time.Hour {
		t.Errorf("behind them %v", got)
	}
}

func TestATaskAcrossSpansTakesAsLongAsItsParts(t *testing.T) {
	o := expect(1, 0.5, 1, room.Reserve{})
	c := tct.Default(time.Hour)
	// 10 minutes at 0.95, 50 at 0.75, the rest of 13 minutes at 0.5.
	want := micros((60 + 26) * 60e6)
	if got := o.ends(c, 0, 0, 1); got < want-1e6 || got > want+1e6 {
		t.Errorf("it ends after %v, want %v", got.duration(), want.duration())
	}
	if got := o.ends(c, 1, 0, 1); got != horizon {
		t.Errorf("on a slot that never opens it ends after %v", got.duration())
	}
	closed := expect(0, 0.5, 1, room.Reserve{})
	if got := closed.opens(0, 0); got != bounds[0] {
		t.Errorf("a slot of a busy host opens after %v", got.duration())
	}
	if open := expect(1, 0, 1, room.Reserve{}); open.opens(0, bounds[1]) != horizon {
		t.Error("a host that leaves nothing on average opens again")
	}
}

func TestWarpsAreTheirOwnInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weight := rapid.Float64Range(0.1, 10)
		w := warp{weight.Draw(t, "now"), weight.Draw(t, "soon"), 1}
		actual := micros(rapid.Int64Range(0, int64(4*time.Hour/time.Microsecond)).Draw(t, "real"))
		if got := w.real(w.even(actual)); got < actual-20 || got > actual+20 {
			t.Fatalf("%d becomes %d", actual, got)
		}
	})
}
