package slotter

import (
	"testing"
	"time"

	"lull/subjects"
)

// A clock that was a day off is corrected. Then no host that beats is declared lost, and a host
// that falls silent is noticed as usual.
func TestTimeThatGoesBackStopsNothing(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 2, 10, 2)
	p.join("b", 2, 10, 2)
	right := p.now
	p.now = right.Add(24 * time.Hour)
	p.pass(5)
	p.settle()
	p.now = right.Add(time.Second)
	p.submit("j", 0, tasks("one", 4))
	p.use("a", 2)
	p.pass(30, "b")
	lost := 0
	for _, e := range p.settle() {
		if l, ok := e.(*subjects.Lost); ok {
			lost++
			if l.Host != "b" {
				t.Errorf("host %s is lost, want b, which is silent", l.Host)
			}
		}
	}
	if lost != 1 {
		t.Errorf("hosts lost = %d, want 1", lost)
	}
	if held := p.a.facts.Ledger.Job("j").Held(); held == 0 {
		t.Error("tasks of j that run = 0, want at least 1")
	}
}
