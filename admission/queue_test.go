package admission

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/admission/level"
	"lull/admission/span"
)

// longQueue returns an actor with a queue of many stretches, in which some jobs have
// hardly any slack and some have a lot.
func longQueue(t *testing.T, rng *rand.Rand, jobs int) *Actor {
	t.Helper()
	a, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	a.facts.Now = int64(time.Hour)
	a.pool.supply.level = level.New([]span.Micros{0, 3, 5})
	ahead := int64(0)
	for i := range jobs {
		l := someLoad(rng, uint64(i))
		switch rng.IntN(9) {
		case 0:
		case 1, 2:
			l.deadline = a.facts.Now + int64(time.Second) + rng.Int64N(int64(time.Hour))
		default:
			ahead += int64(l.work) * 1000 / 3
			l.deadline = a.facts.Now + ahead + 10_000 + rng.Int64N(int64(1+i/40)*1000)
		}
		a.pool.queue.Insert(l)
	}
	return a
}

func someLoad(rng *rand.Rand, seq uint64) *load {
	return &load{
		seq: seq, deadline: none, pace: even, wide: 1 + rng.IntN(3),
		work: span.Micros(rng.IntN(30)), path: span.Micros(rng.IntN(8)), tail: span.Micros(rng.IntN(3)), until: span.Micros(rng.IntN(40)),
	}
}

// Skipping safe stretches must not change a verdict.
func TestAVerdictOverStretchesIsThatOverJobs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	hurt := 0
	for range 30 {
		a := longQueue(t, rng, 4000)
		for range 20 {
			l := someLoad(rng, 1<<40)
			l.deadline = a.facts.Now + rng.Int64N(15e6)
			at := a.pool.queue.before(l.deadline)
			got, want := a.judge.predictByWork(l, at), oneByOne(a, l, at)
			if got.victim != want.victim || got.late != want.late || got.finish != want.finish || !slices.Equal(got.pushed, want.pushed) {
				t.Fatalf("got %+v, one by one %+v", got, want)
			}
			if last, all := a.judge.lastHurt(l), slices.Collect(a.pool.queue.All()); last != lastOf(a, l, all) {
				t.Fatalf("the last one hurt is %d, one by one %d", last, lastOf(a, l, all))
			}
			if got.victim != nil {
				hurt++
			}
		}
	}
	if hurt == 0 || hurt == 600 {
		t.Errorf("%d of 600 hurt another job: that tests nothing", hurt)
	}
}

func oneByOne(a *Actor, l *load, at int) finding {
	all := slices.Collect(a.pool.queue.All())
	ahead := span.Micros(0)
	for _, job := range all[:at] {
		ahead = span.Plus(ahead, job.work)
	}
	f := finding{ahead: at}
	f.start, f.finish = a.judge.place(l, ahead)
	before, after := a.judge.scan(ahead), a.judge.scan(span.Plus(ahead, l.work))
	a.judge.compareAll(&f, all[at:], &before, &after)
	return f
}

func lastOf(a *Actor, l *load, all []*load) (last int) {
	before, after := a.judge.scan(0), a.judge.scan(l.work)
	for i, job := range all {
		if job.deadline == none {
			break
		}
		if finish, pushed := before.next(job), after.next(job); finish <= job.untilDeadline(a.facts.Now) && pushed > job.untilDeadline(a.facts.Now) {
			last = i + 1
		}
	}
	return last
}

// Turns reach every job of the queue, although jobs come and go meanwhile.
func TestTurnsComeToEveryJob(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	a := longQueue(t, rng, 3000)
	a.pool.supply.due = 3000
	seen, left := map[*load]bool{}, 3000
	var last *load
	for left > 0 {
		n := min(700, left)
		for _, l := range a.pool.queue.after(last) {
			last, seen[l] = l, true
			if n--; n == 0 {
				break
			}
		}
		left -= 700
		for range 5 {
			a.pool.queue.Remove(a.pool.queue.At(rng.IntN(a.pool.queue.Len())))
			a.pool.queue.Insert(someLoad(rng, uint64(1e6+rng.IntN(1e6))))
		}
	}
	for l := range a.pool.queue.All() {
		if !seen[l] && l.seq < 3000 {
			t.Fatalf("job %d was passed over", l.seq)
		}
	}
}
