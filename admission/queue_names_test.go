package admission

import (
	"fmt"
	"strings"
	"testing"

	"lull/actors"
	"lull/admission/facts"
	"lull/subjects"
)

// toQueue sends a job to a queue and returns the verdict.
func (p *driver) toQueue(name string) subjects.Verdict {
	p.tb.Helper()
	inbox, _ := p.request(actors.Request{Body: inQueue(name)})
	p.settle()
	return p.replies[inbox]
}

func inQueue(name string) []byte { return append(job(1, ""), "queue: "+name+"\n"...) }

// crowd fills the pool with queues that exist only by their jobs, the last two in one step, and
// returns the ids of the first two jobs.
func (p *driver) crowd() (first, second string) {
	p.tb.Helper()
	p.join("a", 4)
	first, second = p.toQueue("q0").Job, p.toQueue("q1").Job
	var last []uint64
	for i := 2; i < facts.MaxQueues; i++ {
		inbox, _ := p.request(actors.Request{Body: inQueue(fmt.Sprint("q", i))})
		last = append(last, inbox)
	}
	beyond, _ := p.request(actors.Request{Body: inQueue("late")})
	p.settle()
	for _, inbox := range last {
		if v := p.replies[inbox]; v.Verdict != subjects.VerdictAdmitted {
			p.tb.Fatalf("within the bound: %+v", v)
		}
	}
	if v := p.replies[beyond]; v.Code != subjects.ReasonQueues {
		p.tb.Fatalf("in the same step as the last that may: %+v", v)
	}
	return first, second
}

func TestJobsBringABoundedNumberOfQueuesIntoBeing(t *testing.T) {
	p := newDriver(t, Config{})
	first, _ := p.crowd()
	v := p.toQueue("more")
	if v.Verdict != subjects.VerdictRejected || v.Code != subjects.ReasonQueues || !strings.Contains(v.Text, "lull queue set more") {
		t.Errorf("one queue too many = %+v, want rejected with advice", v)
	}
	if f := p.a.verdicts.forecast(inQueue("more")); f.Code != subjects.ReasonQueues {
		t.Errorf("forecast of one queue too many = %+v, want code %s", f, subjects.ReasonQueues)
	}
	if v := p.submit(1, ""); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("a job in the default queue = %+v, want admitted", v)
	}
	if v := p.toQueue("q5"); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("a further job of queue q5 = %+v, want admitted", v)
	}
	p.say(&subjects.Shared{Queue: "more", Weight: 1})
	if v := p.toQueue("more"); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("a job in a queue that an operator made = %+v, want admitted", v)
	}
	p.request(asking("cancel", first))
	p.settle()
	if v := p.toQueue("another"); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("a job in place of a queue without jobs = %+v, want admitted", v)
	}
	if v := p.toQueue("one-more"); v.Code != subjects.ReasonQueues {
		t.Errorf("a job in a queue beyond the bound = %+v, want code %s", v, subjects.ReasonQueues)
	}
}

// A retry may not do what a submission may not.
func TestARetryBringsNoQueueTooManyIntoBeing(t *testing.T) {
	p := newDriver(t, Config{})
	first, second := p.crowd()
	for _, id := range []string{first, second} {
		p.request(asking("cancel", id))
		p.settle()
	}
	p.toQueue("x")
	p.toQueue("y")
	retry, _ := p.request(asking("retry", first))
	p.settle()
	if v := p.replies[retry]; v.Verdict != subjects.VerdictRefused || v.Code != subjects.ReasonQueues {
		t.Errorf("retry into a queue too many = %+v, want refused with code %s", v, subjects.ReasonQueues)
	}
}

// What admission counts follows from the log, also after a restart.
func TestQueueNamesAreThoseOfLiveJobs(t *testing.T) {
	p := newDriver(t, Config{})
	first, _ := p.crowd()
	p.request(asking("cancel", first))
	p.settle()
	body, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Restore(body); err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]*Actor{"as it went on": p.a, "restored": b} {
		if n := a.pool.Names.Jobs; len(n) != facts.MaxQueues-1 || n["q0"] != 0 || n["q1"] != 1 {
			t.Errorf("%s: %d queues, jobs of q0, q1 = %d, %d, want %d queues, 0, 1", name, len(n), n["q0"], n["q1"], facts.MaxQueues-1)
		}
	}
}
