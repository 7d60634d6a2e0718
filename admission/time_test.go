package admission

import (
	"testing"
	"time"
)

// After a clock that was a day ahead was corrected, verdicts and promises do not wait
// for that day.
func TestTimeThatGoesBackStopsNoVerdict(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	right := p.now
	p.now = right.Add(24 * time.Hour)
	p.use("a", 4)
	p.settle()
	p.now = right.Add(time.Second)
	waiting := p.submitted(job(1, "1h"))
	p.settle()
	for range 20 {
		p.now = p.now.Add(time.Second)
		p.use("a", 4)
		p.settle()
	}
	if v := p.replies[waiting]; v.Verdict != "admitted" {
		t.Errorf("reply to a job with an hour to go = %+v, want admitted", v)
	}
	if at := time.Unix(0, p.a.checker.checkAt); at.After(p.now.Add(p.a.facts.Config.Check)) {
		t.Errorf("next check at %v, want at most %v after %v", at, p.a.facts.Config.Check, p.now)
	}
}
