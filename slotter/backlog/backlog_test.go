package backlog

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// world folds a log of jobs with one task each, and tells the backlog of them as the slotter does.
type world struct {
	f         *facts.Facts
	b         *Backlog
	seq       uint64
	running   []*ledger.Attempt
	cancelled []string // jobs
}

func newWorld() *world {
	f := facts.New(facts.Config{Policy: facts.PolicyMPPlus}, ledger.New())
	return &world{f: f, b: New(f)}
}

func (w *world) say(e subjects.Event) ledger.Change {
	w.seq++
	w.f.Now = int64(w.seq) * int64(time.Second)
	return w.f.Ledger.Apply(w.seq, time.Unix(int64(w.seq), 0), e)
}

func (w *world) join(host string, slots uint32) {
	w.say(&subjects.Joined{Host: host, Cores: slots, Slots: slots, Memory: 1 << 40, URL: "http://" + host})
	w.f.Hosts.Get(w.f.Ledger.Host(host))
	w.b.Recount(host)
}

func (w *world) submit(id string, due time.Duration, job spec.Job) {
	e := &subjects.Submitted{Job: id, Spec: job, Inbox: w.seq + 1}
	if due > 0 {
		e.Deadline = int64(w.seq+1)*int64(time.Second) + int64(due)
	}
	w.say(e)
	w.b.Open(w.say(&subjects.Admitted{Job: id}).Job)
}

// begin gives the first task of a job to a host.
func (w *world) begin(j *ledger.Job) {
	h := w.f.Ledger.Host("h")
	slot := w.seq % 4
	c := w.say(&subjects.Assigned{Host: "h", Job: j.ID, Term: h.Term, Doc: j.Seq, Try: 1, Slot: uint32(slot), Width: 1})
	if c.Outcome == ledger.Void {
		return // its slot is taken
	}
	w.b.MarkServed(c.Job)
	w.running = append(w.running, c.Attempt)
}

// end has a running job's task and the job itself finish.
func (w *world) end(at *ledger.Attempt) {
	fact := subjects.Fact{TaskID: at.Task, Term: at.Host.Term, Attempt: at.ID}
	w.say(&subjects.Finished{Host: "h", Job: at.Job.ID, Fact: fact, Run: subjects.Run{Seconds: 1, Residual: 1}})
	w.stop(at.Job, &subjects.JobFinished{Job: at.Job.ID})
}

func (w *world) stop(j *ledger.Job, e subjects.Event) {
	w.say(e)
	if !j.Live() {
		w.b.Close(j)
	}
}

// retry opens a cancelled job again.
func (w *world) retry(id string) {
	if c := w.say(&subjects.Retried{Job: id}); c.Outcome != ledger.Void {
		w.b.Open(c.Job)
	}
}

// happens draws an event: a job is submitted, cancelled or retried, a task begins or ends, or a queue is limited.
func (w *world) happens(rng *rand.Rand, step int) {
	jobs := w.f.Ledger.LiveJobs()
	switch n := rng.IntN(13); {
	case n == 12 && len(w.cancelled) > 0:
		w.retry(w.cancelled[rng.IntN(len(w.cancelled))])
	case n < 6 || jobs.Len() == 0:
		stage := spec.Stage{Name: "only", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1 + int64(rng.IntN(2)), Estimate: time.Second}
		job := spec.Job{Name: "job", Type: fmt.Sprint("t", rng.IntN(3)), Stages: []spec.Stage{stage}, Queue: []string{"", "q"}[rng.IntN(2)]}
		w.submit(fmt.Sprint("j", step), time.Duration(rng.IntN(3)*rng.IntN(1000))*time.Second, job)
	case n < 7:
		j := jobs.At(rng.IntN(jobs.Len()))
		w.stop(j, &subjects.Cancelled{Job: j.ID})
		w.cancelled = append(w.cancelled, j.ID)
	case n < 8:
		w.say(&subjects.Shared{Queue: "q", Weight: 1, Jobs: uint32(rng.IntN(3))})
		w.f.Queues.Reweigh(w.f.Ledger)
		w.b.Regroup()
	case n < 10:
		w.begin(jobs.At(rng.IntN(jobs.Len())))
	case len(w.running) > 0:
		w.end(w.running[0])
		w.running = w.running[1:]
	}
}

// The first jobs of each kind are near and the others far, while jobs come and end, and queues are limited.
func TestTheFirstJobsOfEachKindAreNear(t *testing.T) {
	begun, far := 0, 0
	for seed := range uint64(20) {
		w, rng := newWorld(), rand.New(rand.NewPCG(seed, 0))
		w.join("h", 4)
		w.b.near = 5 // a pool of four slots has more
		for step := range 300 {
			w.happens(rng, step)
			w.check(t)
			begun += len(w.running)
			for _, k := range w.b.byName {
				far += k.far.Len()
			}
		}
	}
	if begun < 1000 || far < 1000 {
		t.Errorf("jobs begun, far over all steps = %d, %d, want at least 1000 each, or this test checks next to nothing", begun, far)
	}
}

// check compares the kinds with the live jobs.
func (w *world) check(t *testing.T) {
	t.Helper()
	kinds := map[string]*struct{ near, far int }{}
	for life := range w.f.Ledger.LiveJobs().All() {
		j, k := w.f.Jobs.Of[life], (*kind)(nil)
		if life.Untried() {
			k = w.b.kindOf(life, life.Shape.Share())
		}
		switch {
		case k == nil && (j == nil || j.Waits()):
			t.Fatalf("job %s has begun and waits, want one of both", life.ID)
		case k == nil:
		case j != nil && (j.Kind != any(k) || !k.near.list.Has(j)):
			t.Fatalf("job %s is near and not listed, want it listed", life.ID)
		case j == nil && !k.far.Has(life):
			t.Fatalf("job %s is neither near nor far, want one of both", life.ID)
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
	if len(kinds) != len(w.b.byName) || len(kinds) != len(w.b.of) {
		t.Fatalf("kinds kept = %d, want %d, those of waiting jobs", len(w.b.byName), len(kinds))
	}
	for _, k := range w.b.byName {
		checkKind(t, k, kinds[k.name].near, kinds[k.name].far)
	}
}

func checkKind(t *testing.T, k *kind, near, far int) {
	t.Helper()
	if near != k.near.len() || far != k.far.Len() || near > k.least || far > 0 && near < k.least {
		t.Fatalf("kind %q: near, far = %d, %d, listed %d, %d with at least %d near", k.name, near, far, k.near.len(), k.far.Len(), k.least)
	}
	if k.near.marked > near {
		t.Fatalf("kind %q: jobs marked near = %d, want at most %d", k.name, k.near.marked, near)
	}
	last, _ := k.near.last()
	if first, ok := k.far.First(); ok && k.compare(first, last.Life) < 0 {
		t.Fatalf("kind %q: job %s is far, want it near before %s", k.name, first.ID, last.Life.ID)
	}
	cores := int64(0)
	for life := range k.far.All() {
		cores += coresOf(life)
	}
	if cores != k.tasks {
		t.Fatalf("kind %q: tasks counted = %d, want %d", k.name, k.tasks, cores)
	}
}
