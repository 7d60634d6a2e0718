package admission

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Of tasks of a quarter of a core, eight run at once on two cores: tasks that wait for a disk rather than
// for CPU take a quarter of the time of whole ones.
func TestPartsOfCoresArePromisedSideBySide(t *testing.T) {
	for _, c := range []struct {
		cpu, deadline string
		want          string
	}{
		{"0.25", "5m", subjects.VerdictAdmitted}, // 25 rounds of 10 s, and a tenth to spare
		{"0.25", "4m", subjects.VerdictRejected},
		{"0.4", "500s", subjects.VerdictRejected}, // 4 at once: a fifth of each slot is left
		{"0.4", "10m", subjects.VerdictAdmitted},
		{"1", "5m", subjects.VerdictRejected}, // 100 rounds
		{"1", "20m", subjects.VerdictAdmitted},
	} {
		p := newDriver(t, Config{})
		p.say(&subjects.Joined{Host: "a", Cores: 2, Slots: 2, Memory: 8e9, Format: subjects.Format})
		p.say(&subjects.Fitted{Type: "job", A: 10, Low: 0.05, High: 1, Samples: 1e6})
		p.say(&subjects.Led{Actor: "admission", Partition: "all", Format: subjects.Format}, &subjects.Led{Actor: "slotter", Partition: "all", Format: subjects.Format})
		for range 40 {
			p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: "a", At: p.now.UnixNano(), Cores: 2, Idle: 2, Usual: 2, Observed: 7 * 86400}})
			p.now = p.now.Add(10 * time.Second)
		}
		inbox := p.submitted(append(job(200, c.deadline), fmt.Sprintf("  memory: 16MB\n  cpu: %s\n", c.cpu)...))
		p.settle()
		if v := p.replies[inbox]; v.Verdict != c.want {
			t.Errorf("200 tasks of %s cores, due in %s: %+v, want %s", c.cpu, c.deadline, v, c.want)
		}
	}
}

func TestPartsOfCoresNeedAPoolThatKnowsThem(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	inbox := p.submitted(append(job(1, ""), "  cpu: 0.5\n"...))
	p.settle()
	p.now = p.now.Add(time.Second)
	p.settle()
	if v := p.replies[inbox]; v.Verdict != subjects.VerdictRejected || v.Code != subjects.ReasonNoHost {
		t.Errorf("reply = %+v, want rejected for want of a host", v)
	}
}

func TestAStandardInputNeedsAPoolThatKnowsIt(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	inbox := p.submitted(append(job(1, ""), "  stdin: INPUT\n"...))
	p.settle()
	p.now = p.now.Add(time.Second)
	p.settle()
	if v := p.replies[inbox]; v.Verdict != subjects.VerdictRejected || v.Code != subjects.ReasonNoHost {
		t.Errorf("reply = %+v, want rejected for want of a host", v)
	}
}
