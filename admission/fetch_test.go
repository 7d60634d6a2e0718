package admission

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// shuffle is a job whose second stage reads a part of what each task of the first one wrote. A task
// of the first reads 2 GB.
func shuffle(maps, reduces int) []byte {
	return fmt.Appendf(nil, `name: sort
stages:
- name: map
  command: ["true"]
  tasks: %d
  bytes: 2GB
- name: reduce
  command: ["true"]
  tasks: %d
  from: {stage: map, by: partition}
`, maps, reduces)
}

// knows gives both stages models of ten seconds a task. A map task gives half of what it reads.
func (p *driver) knows(rate float64) {
	for _, name := range []string{"sort:map", "sort:reduce"} {
		p.say(&subjects.Fitted{Type: name, A: 10, Samples: 100, Low: 0.9, High: 1, Size: 2e9, Gives: 0.5, Yield: 1e9, Fetch: rate})
	}
}

// submitShuffle sends the job and returns its verdict's event.
func (p *driver) submitShuffle(s []byte) *subjects.Admitted {
	p.tb.Helper()
	inbox := p.submitted(s)
	for _, e := range p.settle() {
		if e, ok := e.(*subjects.Admitted); ok {
			return e
		}
	}
	p.tb.Fatalf("the job is not admitted: %+v", p.replies[inbox])
	return nil
}

// only is the live job.
func (p *driver) only() string {
	p.tb.Helper()
	for j := range p.a.facts.Ledger.LiveJobs().All() {
		return j.ID
	}
	p.tb.Fatal("no job is live")
	return ""
}

// moves is how long a job with a shuffle takes on hosts of so many slots, event by event: a task of
// the second stage copies what others keep at a rate, and runs then. Tasks go to hosts in turn.
func moves(maps, reduces, hosts, slots int, rate float64) time.Duration {
	const runs = 10.0
	kept := make([]float64, hosts)
	for i := range maps {
		kept[i%hosts] += 1e9 / float64(reduces)
	}
	began := runs * float64((maps+hosts*slots-1)/(hosts*slots))
	free, end := make([]float64, hosts*slots), 0.0
	for i := range free {
		free[i] = began
	}
	for i := range reduces {
		slot, remote := i%len(free), 0.0
		for host := range kept {
			if host != slot%hosts {
				remote += kept[host]
			}
		}
		free[slot] += remote/rate + runs
		end = max(end, free[slot])
	}
	return time.Duration(end * 1e9)
}

// Without what it fetches, a job with a shuffle would be predicted to end long before it does.
func TestWhatAStageFetchesIsPredicted(t *testing.T) {
	for name, c := range map[string]struct {
		hosts         []string
		maps, reduces int
		rate          float64
	}{
		"two hosts":              {[]string{"a", "b"}, 8, 8, 20e6},
		"four hosts":             {[]string{"a", "b", "c", "d"}, 16, 16, 20e6},
		"two rounds of the last": {[]string{"a", "b"}, 8, 16, 10e6},
	} {
		t.Run(name, func(t *testing.T) {
			p, s := newDriver(t, Config{}), shuffle(c.maps, c.reduces)
			for _, host := range c.hosts {
				p.join(host, 4)
			}
			truth := moves(c.maps, c.reduces, len(c.hosts), 4, c.rate)
			p.knows(0)
			began := p.now
			without := time.Unix(0, p.submitShuffle(s).Finish).Sub(began)
			p.say(&subjects.Cancelled{Job: p.only()})

			p.knows(c.rate)
			p.now = p.now.Add(time.Second)
			began = p.now
			e := p.submitShuffle(s)
			with := time.Unix(0, e.Finish).Sub(began)
			t.Logf("%v with what it fetches, %v without, %v in truth: %s", with, without, truth, e.Why)
			if with < truth/2 || with > truth*3/2 {
				t.Errorf("predicted %v, want %v within a half", with, truth)
			}
			if without > truth/2 {
				t.Errorf("predicted %v without what it fetches, want at most half of %v, or this test proves nothing", without, truth)
			}
			if !strings.Contains(e.Why, "fetching ") || !strings.Contains(e.Why, " from stage map: about ") {
				t.Errorf("admitted with %q, want what it fetches named", e.Why)
			}
		})
	}
}

// On one host all is there already.
func TestNothingIsFetchedOnOneHost(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.knows(1e6)
	began := p.now
	e := p.submitShuffle(shuffle(4, 4))
	if took := time.Unix(0, e.Finish).Sub(began); took > 25*time.Second || strings.Contains(e.Why, "fetching") {
		t.Errorf("predicted %v: %s, want at most 25s and nothing fetched", took, e.Why)
	}
}

// What the job's own tasks gave counts at once, before any model follows.
func TestWhatTasksGaveIsFetched(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.join("b", 4)
	p.knows(20e6)
	s := shuffle(8, 8)
	p.submitted(s)
	p.settle()
	id := p.only()
	before := p.predicted(id)
	for task := range uint32(8) {
		host := p.a.facts.Ledger.Hosts()[task/4]
		at := subjects.TaskID{Task: task}
		p.say(&subjects.Assigned{Host: host.Name, Job: id, TaskID: at, Term: host.Term, Width: 1, Slot: task % 4, Try: 1})
		p.say(&subjects.Finished{
			Host: host.Name, Job: id, Fact: subjects.Fact{TaskID: at, Term: host.Term, Attempt: p.seq},
			Run: subjects.Run{Seconds: 10, Residual: 1, In: 2e9, Out: 1e6}, Files: 8,
		})
	}
	p.now = p.now.Add(time.Second)
	p.use("a", 4)
	p.use("b", 4)
	l := p.a.pool.Load(p.a.facts.Ledger.Job(id))
	after := p.predicted(id)
	// A third of the weight is the model's: 8 tasks against 4.
	if want := 10*time.Second + 25*time.Second/3; after > want+3*time.Second || after < want-3*time.Second || before < 40*time.Second {
		t.Errorf("predicted %v before and %v after tasks that gave little, want %v; fetching %+v", before, after, want, l.Stages[1].Fetch)
	}

	b, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	q, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Restore(b); err != nil {
		t.Fatal(err)
	}
	if got := q.pool.Load(q.facts.Ledger.Job(id)); got.Stages[0].Made != l.Stages[0].Made || got.Stages[0].Made.Tasks != 8 {
		t.Errorf("Made after a restore = %+v, want %+v with 8 tasks", got.Stages[0].Made, l.Stages[0].Made)
	}
}

// A task that fetches holds its slot: what is left of that counts.
func TestATaskThatFetchesIsNotDoneBefore(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.join("b", 4)
	p.knows(20e6)
	p.submitted(shuffle(8, 8)) // 25 s of fetching a task
	p.settle()
	id := p.only()
	for stage := range uint32(2) {
		for task := range uint32(8) {
			host := p.a.facts.Ledger.Hosts()[task/4]
			at := subjects.TaskID{Stage: stage, Task: task}
			p.say(&subjects.Assigned{Host: host.Name, Job: id, TaskID: at, Term: host.Term, Width: 1, Slot: task % 4, Try: 1})
			if stage == 0 {
				p.say(&subjects.Finished{
					Host: host.Name, Job: id, Fact: subjects.Fact{TaskID: at, Term: host.Term, Attempt: p.seq},
					Run: subjects.Run{Seconds: 10, Residual: 1, In: 2e9, Out: 1e9}, Files: 8,
				})
			}
		}
	}
	for _, c := range []struct{ pass, least, most int }{{1, 32, 36}, {10, 22, 26}, {10, 12, 16}} {
		p.now = p.now.Add(time.Duration(c.pass) * time.Second)
		p.use("a", 4)
		p.use("b", 4)
		if got := p.predicted(id).Seconds(); got < float64(c.least) || got > float64(c.most) {
			t.Errorf("predicted %.1f s, want %d to %d", got, c.least, c.most)
		}
	}
}
