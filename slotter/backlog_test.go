package slotter

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// nearJobs is the number of jobs of a kind that rounds look at in a small pool.
const nearJobs = 256

// A queue far longer than what rounds look at is served in order to its end, over restarts. Under
// fifo that is the order of submission, whatever deadlines the jobs have.
func TestALongQueueIsServedInOrder(t *testing.T) {
	p := newPool(t, Config{Policy: "fifo"})
	p.join("h", 2, 1<<40, 2)
	const jobs = 3 * nearJobs
	for i := range jobs {
		p.submit(fmt.Sprint("j", i), time.Duration(i%2)*1000*time.Hour, tasks("only", 1))
	}
	for i := 0; i < jobs; i += 2 {
		p.settle()
		for _, at := range p.a.facts.Ledger.Host("h").Attempts() {
			if at.Job.ID != fmt.Sprint("j", i) && at.Job.ID != fmt.Sprint("j", i+1) {
				t.Fatalf("job %s runs, want j%d or the next one", at.Job.ID, i)
			}
		}
		p.finish()
		if i == nearJobs {
			p.restart()
		}
	}
	p.settle()
	if n := p.a.facts.Ledger.LiveJobs().Len(); n != 0 {
		t.Errorf("live jobs = %d, want 0", n)
	}
}

// A stream of jobs with deadlines does not starve a job without one, although more of
// them wait than rounds look at.
func TestAJobWithoutADeadlineHasItsTurn(t *testing.T) {
	p := newPool(t, Config{Policy: "mp+"})
	p.join("h", 4, 1<<40, 4)
	submit := func(id string, deadline time.Duration) {
		p.submitSpec(id, deadline, spec.Job{Name: "job", Type: "t", Stages: []spec.Stage{tasks("only", 1)}})
	}
	for i := range 300 {
		submit(fmt.Sprint("j", i), 1000*time.Hour)
	}
	submit("patient", 0)
	began := p.now
	for i := 0; p.a.facts.Ledger.Job("patient").Untried(); i++ {
		if waited := p.now.Sub(began); waited > time.Hour {
			t.Fatalf("the patient job waits for %v while %d jobs ended, want at most 1h", waited, 301+4*i-p.a.facts.Ledger.LiveJobs().Len())
		}
		p.settle()
		p.pass(20)
		p.finish()
		for n := range 4 {
			submit(fmt.Sprint("later", i, "-", n), 100*time.Hour)
		}
	}
}

// An urgent job that is submitted late is near at once. The number of jobs that a round looks at
// does not grow with the queue.
func TestARoundDoesNotGrowWithTheQueue(t *testing.T) {
	p := newPool(t, Config{Policy: "edf"})
	p.join("h", 2, 1<<40, 2)
	for i := range 5 * nearJobs {
		p.submit(fmt.Sprint("j", i), time.Duration(i%2)*1000*time.Hour, tasks("only", 1))
	}
	if n := len(p.a.facts.Jobs.BySeq); n != nearJobs {
		t.Errorf("a round looks at %d jobs, want %d", n, nearJobs)
	}
	p.submit("urgent", time.Minute, tasks("only", 1))
	p.settle()
	if at := p.a.facts.Ledger.Job("urgent").Held(); at != 1 {
		t.Errorf("tasks of the urgent job that run = %d, want 1", at)
	}
}

// BenchmarkEnd folds a job's life behind a queue: submission, verdict, its task's start
// and end, and its own end.
func BenchmarkEnd(b *testing.B) {
	for _, queued := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(queued), func(b *testing.B) {
			p := newPool(b, Config{})
			p.join("h", 2, 1<<40, 2)
			job := spec.Job{Name: "job", Type: "t", Stages: []spec.Stage{tasks("only", 1)}}
			live := func() *ledger.Job { j, _ := p.a.facts.Ledger.LiveJobs().First(); return j }
			for i := range queued {
				p.seq++
				p.fold([]subjects.Event{&subjects.Submitted{Job: fmt.Sprint("j", i), Spec: job}, &subjects.Admitted{Job: fmt.Sprint("j", i)}})
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.fold([]subjects.Event{&subjects.Submitted{Job: fmt.Sprint("n", i), Spec: job}, &subjects.Admitted{Job: fmt.Sprint("n", i)}})
				p.fold([]subjects.Event{&subjects.Assigned{Host: "h", Job: live().ID, Term: p.a.facts.Ledger.Host("h").Term, Width: 1}})
				at := p.a.facts.Ledger.Host("h").Attempts()[0]
				p.fold([]subjects.Event{done(at, 1), &subjects.JobFinished{Job: at.Job.ID}})
			}
		})
	}
}

// BenchmarkWatch is a second's watch behind a queue, when hosts have left.
func BenchmarkWatch(b *testing.B) {
	for _, queued := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(queued), func(b *testing.B) {
			p := newPool(b, Config{})
			for i := range 10 {
				name := fmt.Sprint("h", i)
				p.join(name, 2, 1<<40, 2)
				p.say(&subjects.Left{Host: name, Term: p.a.facts.Ledger.Host(name).Term})
			}
			job := spec.Job{Name: "job", Type: "t", Stages: []spec.Stage{tasks("only", 1)}}
			for i := range queued {
				p.fold([]subjects.Event{&subjects.Submitted{Job: fmt.Sprint("j", i), Spec: job}, &subjects.Admitted{Job: fmt.Sprint("j", i)}})
			}
			for b.Loop() {
				p.now = p.now.Add(time.Duration(leastTick))
				p.a.Step(actors.Input{Now: p.now, Decide: true})
			}
		})
	}
}

// BenchmarkRound is a decision behind a queue.
func BenchmarkRound(b *testing.B) {
	for _, queued := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(queued), func(b *testing.B) {
			p := newPool(b, Config{})
			p.join("h", 2, 1<<40, 2)
			job := spec.Job{Name: "job", Type: "t", Stages: []spec.Stage{tasks("only", 1)}}
			for i := range queued {
				p.fold([]subjects.Event{&subjects.Submitted{Job: fmt.Sprint("j", i), Spec: job}, &subjects.Admitted{Job: fmt.Sprint("j", i)}})
			}
			for b.Loop() {
				p.a.facts.Due.Slots = true
				p.a.Step(actors.Input{Now: p.now, Decide: true})
			}
		})
	}
}

// The queue limits how many jobs run. Any number of jobs that no host can run hide none behind
// them, and get their turn when a host comes.
func TestJobsWithoutAHostHideNoneBehindThem(t *testing.T) {
	for _, policy := range []string{"fifo", "mp+"} {
		p := newPool(t, Config{Policy: policy})
		p.join("h", 2, 1<<40, 2)
		p.say(&subjects.Shared{Queue: "q", Weight: 1, Jobs: 1})
		submit := func(id string, where ...string) {
			st := tasks("only", 1)
			st.Where = where
			p.submitSpec(id, 0, spec.Job{Name: "job", Type: "t", Queue: "q", Stages: []spec.Stage{st}})
		}
		for i := range 2 * nearJobs {
			submit(fmt.Sprint("gpu", i), "gpu=yes")
		}
		submit("plain")
		submit("next")
		p.settle()
		if p.running("plain") == 0 || p.running("next") > 0 {
			t.Fatalf("%s: tasks of plain, next that run = %d, %d, want some, 0", policy, p.running("plain"), p.running("next"))
		}
		p.joinAhead("g", 2, 0, 1<<40, 2, "gpu=yes")
		p.settle()
		if p.running("gpu0") > 0 {
			t.Errorf("%s: tasks of gpu0 that run = %d, want 0: its queue runs one job", policy, p.running("gpu0"))
		}
		p.finish()
		p.settle()
		if p.running("gpu0") == 0 || p.running("next") > 0 {
			t.Errorf("%s: tasks of gpu0, next that run = %d, %d, want some, 0", policy, p.running("gpu0"), p.running("next"))
		}
	}
}
