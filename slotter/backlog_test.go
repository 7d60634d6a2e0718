package slotter

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/actors"
	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// The first jobs of each kind are near and the others far, while jobs come and end,
// queues are limited, and after a restart.
func TestTheFirstJobsOfEachKindAreNear(t *testing.T) {
	for seed := range uint64(20) {
		p, rng := newPool(t, Config{}), rand.New(rand.NewPCG(seed, 0))
		p.a.backlog.near = 5
		p.join("h", 2, 1<<40, 2)
		p.a.backlog.near = 5 // a pool of two slots has more
		for step := range 300 {
			p.happens(rng, step)
			checkWaiting(t, p.a)
		}
	}
}

// happens folds a random event: a job is submitted or cancelled, a task begins or ends,
// or a queue is limited.
func (p *pool) happens(rng *rand.Rand, step int) {
	jobs := p.a.facts.Ledger.LiveJobs()
	switch n := rng.IntN(12); {
	case n < 6 || jobs.Len() == 0:
		st := tasks("only", 1+uint32(rng.IntN(2)))
		st.Memory = 1 + int64(rng.IntN(2))
		job := spec.Job{Name: "job", Type: fmt.Sprint("t", rng.IntN(3)), Stages: []spec.Stage{st}, Queue: []string{"", "q"}[rng.IntN(2)]}
		p.submitSpec(fmt.Sprint("j", step), time.Duration(rng.IntN(3)*rng.IntN(1000))*time.Second, job)
	case n < 7:
		p.say(&subjects.Cancelled{Job: jobs.At(rng.IntN(jobs.Len())).ID})
	case n < 8:
		p.say(&subjects.Shared{Queue: "q", Weight: 1, Jobs: uint32(rng.IntN(3))})
	case n < 10:
		p.settle()
	default:
		p.finish()
		p.settle()
	}
}

// checkLists compares the lists of jobs by model, and those from an entry on, with the list of all.
func checkLists(t *testing.T, s *facts.Jobs) {
	t.Helper()
	want := map[string][]*facts.Job{}
	for _, j := range s.BySeq {
		for i := range j.Life.Shape.Stages {
			model := j.Life.Shape.Model(i)
			want[model] = append(want[model], j)
		}
	}
	if !maps.EqualFunc(want, s.OfModel, slices.Equal[[]*facts.Job]) {
		t.Fatalf("by model: %v, want %v", s.OfModel, want)
	}
	for i, j := range s.BySeq {
		if got := slices.Collect(s.From(j.Life.Seq)); len(got) != len(s.BySeq)-i || got[0] != j.Life {
			t.Fatalf("%d jobs from number %d of %d on", len(got), i, len(s.BySeq))
		}
	}
}

func checkWaiting(t *testing.T, a *Actor) {
	t.Helper()
	checkLists(t, &a.facts.Jobs)
	kinds := map[string]*struct{ near, far int }{}
	for life := range a.facts.Ledger.LiveJobs().All() {
		j, k := a.facts.Jobs.Of[life], (*kind)(nil)
		if life.Untried() {
			k = a.backlog.kindOf(life, life.Shape.Share())
		}
		switch {
		case k == nil && (j == nil || j.Waits):
			t.Fatalf("job %s has begun, and waits", life.ID)
		case k == nil:
		case j != nil && (!j.Waits || a.backlog.kinds[j] != k || !k.near.Has(j)):
			t.Fatalf("job %s is near and not listed", life.ID)
		case j == nil && !k.far.Has(life):
			t.Fatalf("job %s is nowhere", life.ID)
		default:
			n := kinds[k.name]
			if n == nil {
				n = new(struct{ near, far int })
				kinds[k.name] = n
			}
			if j != nil {
				n.near++
			} else {
				n.far++
			}
		}
	}
	if len(kinds) != len(a.backlog.byName) || len(kinds) != len(a.backlog.of) {
		t.Fatalf("%d kinds are kept, jobs of %d wait", len(a.backlog.byName), len(kinds))
	}
	for _, k := range a.backlog.byName {
		checkKind(t, k, kinds[k.name].near, kinds[k.name].far)
	}
}

func checkKind(t *testing.T, k *kind, near, far int) {
	t.Helper()
	if near != k.near.Len() || far != k.far.Len() || near > k.least || far > 0 && near < k.least {
		t.Fatalf("kind %q: %d and %d wait, %d and %d are listed, of %d", k.name, near, far, k.near.Len(), k.far.Len(), k.least)
	}
	last, _ := k.near.Last()
	if first, ok := k.far.First(); ok && k.compare(first, last.Life) < 0 {
		t.Fatalf("kind %q: job %s is far, before %s", k.name, first.ID, last.Life.ID)
	}
	cores := int64(0)
	for life := range k.far.All() {
		cores += coresOf(life)
	}
	if cores != k.tasks {
		t.Fatalf("kind %q: %d tasks are far, counted %d", k.name, cores, k.tasks)
	}
}

// A queue far longer than what rounds look at is served in order to its end, over restarts. Under
// fifo that is the order of submission, whatever deadlines the jobs have.
func TestALongQueueIsServedInOrder(t *testing.T) {
	p := newPool(t, Config{Policy: "fifo"})
	p.join("h", 2, 1<<40, 2)
	const jobs = 3 * leastNear
	for i := range jobs {
		p.submit(fmt.Sprint("j", i), time.Duration(i%2)*1000*time.Hour, tasks("only", 1))
	}
	for i := 0; i < jobs; i += 2 {
		p.settle()
		for _, at := range p.a.facts.Ledger.Host("h").Attempts() {
			if at.Job.ID != fmt.Sprint("j", i) && at.Job.ID != fmt.Sprint("j", i+1) {
				t.Fatalf("%s runs, it is the turn of j%d", at.Job.ID, i)
			}
		}
		p.finish()
		if i == leastNear {
			p.restart()
		}
	}
	p.settle()
	if n := p.a.facts.Ledger.LiveJobs().Len(); n != 0 {
		t.Errorf("%d jobs are left", n)
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
			t.Fatalf("it waits for %v, and %d jobs have ended", waited, 301+4*i-p.a.facts.Ledger.LiveJobs().Len())
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
	for i := range 5 * leastNear {
		p.submit(fmt.Sprint("j", i), time.Duration(i%2)*1000*time.Hour, tasks("only", 1))
	}
	if n := len(p.a.facts.Jobs.BySeq); n != leastNear {
		t.Errorf("a round looks at %d jobs, want %d", n, leastNear)
	}
	p.submit("urgent", time.Minute, tasks("only", 1))
	p.settle()
	if at := p.a.facts.Ledger.Job("urgent").Held(); at != 1 {
		t.Error("the urgent job was overlooked")
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
		for i := range 2 * leastNear {
			submit(fmt.Sprint("gpu", i), "gpu=yes")
		}
		submit("plain")
		submit("next")
		p.settle()
		if p.running("plain") == 0 || p.running("next") > 0 {
			t.Fatalf("%s: of a queue of one job at a time, the first that can run runs: %v, the next one: %v", policy, p.running("plain") > 0, p.running("next") > 0)
		}
		p.joinAhead("g", 2, 0, 1<<40, 2, "gpu=yes")
		p.settle()
		if p.running("gpu0") > 0 {
			t.Errorf("%s: two jobs of a queue run that is limited to one", policy)
		}
		p.finish()
		p.settle()
		if p.running("gpu0") == 0 || p.running("next") > 0 {
			t.Errorf("%s: when its host has come, the first job runs: %v, the last one: %v", policy, p.running("gpu0") > 0, p.running("next") > 0)
		}
	}
}
