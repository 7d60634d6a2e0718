package admission

import (
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
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
		t.Errorf("submit(1, 24h) on a busy host = %+v, want admitted", v)
	}
	if v := p.submit(1, "30s"); v.Verdict != subjects.VerdictRejected {
		t.Errorf("submit(1, 30s) on a busy host = %+v, want rejected", v)
	}
}

func TestAHostThatIsAlwaysBusyIsKnownToBe(t *testing.T) {
	if v := busy(t, 0.01, 7*24*time.Hour).submit(1, "24h"); v.Verdict != subjects.VerdictRejected {
		t.Errorf("submit(1, 24h) on a host that left nothing for a week = %+v, want rejected", v)
	}
	if v := busy(t, 0, time.Minute).submit(1, "24h"); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("submit(1, 24h) on a host that was seen for a minute = %+v, want admitted", v)
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
		t.Errorf("40 core-hours at 0.5 cores: predicted %v, want at least 60h", got)
	}
	if got := p.predicted(p.submit(4, "").Job); got < 60*time.Hour {
		t.Errorf("a job behind 40 core-hours at 0.5 cores: predicted %v, want at least 60h", got)
	}
}
