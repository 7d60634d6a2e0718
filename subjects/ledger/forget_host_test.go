package ledger

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"lull/subjects"
)

// churn is a log in which machines come and go under new names, one an hour.
type churn struct {
	*testing.T
	s   *State
	seq uint64
	now time.Time
}

func (c *churn) say(e subjects.Event) {
	c.Helper()
	c.seq++
	if v := c.s.Apply(c.seq, c.now, e); v.Outcome == Void {
		c.Fatalf("entry %d, %T: %s", c.seq, e, v.Why)
	}
}

func (c *churn) host(i int) {
	c.Helper()
	c.now = c.now.Add(time.Hour)
	name := fmt.Sprintf("machine-%d", i)
	c.say(&subjects.Joined{Host: name, Cores: 1, Slots: 1, Memory: 1 << 40})
	c.say(&subjects.Left{Host: name, Term: c.seq})
}

// Hosts that are away for good are forgotten, except those that a job names. Renumbering
// the others changes nothing else.
func TestHostsThatAreAwayForGoodAreForgotten(t *testing.T) {
	c := &churn{T: t, s: New(), now: time.Unix(1e9, 0)}
	c.host(-1)
	c.say(&subjects.Joined{Host: "keeper", Cores: 1, Slots: 2, Memory: 1 << 40})
	keeper := c.seq
	c.say(&subjects.Submitted{Job: "j", Spec: twoStages()})
	c.say(&subjects.Admitted{Job: "j"})
	c.say(&subjects.Assigned{Host: "keeper", Job: "j", Term: keeper, Width: 1})
	fact := subjects.Fact{Term: keeper, Attempt: c.seq}
	c.say(&subjects.Finished{Host: "keeper", Job: "j", Fact: fact, Manifest: subjects.Digest{1}})
	c.say(&subjects.Left{Host: "keeper", Term: keeper})
	c.say(&subjects.Joined{Host: "present", Cores: 1, Slots: 2, Memory: 1 << 40})
	present := c.seq
	c.say(&subjects.Assigned{Host: "present", Job: "j", TaskID: subjects.TaskID{Task: 1}, Term: present, Width: 1})
	running := c.seq
	most := 0
	for i := range 4 * keepHosts {
		c.host(i)
		most = max(most, len(c.s.Hosts()))
		if i%777 == 0 {
			c.s = again(t, c.s)
		}
	}
	// 720 leave within the thirty days.
	if n := len(c.s.Hosts()); n >= 2*keepHosts || most > 2*keepHosts {
		t.Errorf("hosts kept = %d, at most %d at a time, want fewer than %d", n, most, 2*keepHosts)
	}
	if c.s.Host("machine--1") != nil || c.s.Host("machine-0") != nil || c.s.Host("present").State() != "up" {
		t.Errorf("want only hosts forgotten that left for good: machine--1 %v, machine-0 %v, present %v", c.s.Host("machine--1"), c.s.Host("machine-0"), c.s.Host("present").State())
	}
	j := c.s.Job("j")
	for kept := range c.s.Outputs(j, 0) {
		if kept.Host != c.s.Host("keeper") || kept.Attempt != fact.Attempt {
			t.Errorf("output of task 0 = %+v, want attempt %d on keeper", kept, fact.Attempt)
		}
	}
	c.say(&subjects.Finished{Host: "present", Job: "j", Fact: subjects.Fact{TaskID: subjects.TaskID{Task: 1}, Term: present, Attempt: running}, Manifest: subjects.Digest{2}})
	c.say(&subjects.Lost{Host: "keeper", Term: keeper})
	c.say(&subjects.OutputLost{Host: "keeper", Job: "j", Tasks: []uint32{0}})
	if j.Stages[0].Done != 1 {
		t.Errorf("tasks done after one of two outputs was lost = %d, want 1", j.Stages[0].Done)
	}
	a, err := c.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if b, err := again(t, c.s).Snapshot(); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the snapshot of a restored state differs (error %v), want the same bytes", err)
	}
}

// A pool with all its hosts present, or gone only a moment ago, forgets none.
func TestHostsThatMayComeBackAreKept(t *testing.T) {
	c := &churn{T: t, s: New(), now: time.Unix(1e9, 0)}
	for i := range 700 {
		c.host(i)
	}
	for i := range 700 {
		c.say(&subjects.Joined{Host: fmt.Sprintf("present-%d", i)})
	}
	if n := len(c.s.Hosts()); n != 1400 {
		t.Errorf("hosts kept = %d, want 1400, which all have outputs", n)
	}
}

func TestTermsAreBounded(t *testing.T) {
	s := New()
	for i := range 3 * keepTerms {
		tell(s, &subjects.Led{Actor: "slotter", Partition: fmt.Sprintf("part-%d", i)})
	}
	if len(s.terms) != keepTerms || s.Term("slotter", "part-0") != 0 || s.Term("slotter", fmt.Sprintf("part-%d", 3*keepTerms-1)) == 0 {
		t.Errorf("terms kept = %d, want the last %d", len(s.terms), keepTerms)
	}
}
