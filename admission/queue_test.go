package admission

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/admission/judge"
	"lull/admission/level"
	"lull/admission/pool"
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
	a.pool.Supply.Level = level.New([]span.Micros{0, 3, 5})
	ahead := int64(0)
	for i := range jobs {
		l := someLoad(rng, uint64(i))
		switch rng.IntN(9) {
		case 0:
		case 1, 2:
			l.Deadline = a.facts.Now + int64(time.Second) + rng.Int64N(int64(time.Hour))
		default:
			ahead += int64(l.Work) * 1000 / 3
			l.Deadline = a.facts.Now + ahead + 10_000 + rng.Int64N(int64(1+i/40)*1000)
		}
		a.pool.Queue.Insert(l)
	}
	return a
}

func someLoad(rng *rand.Rand, seq uint64) *pool.Load {
	return &pool.Load{
		Seq: seq, Deadline: pool.None, Pace: pool.Even, PathSlots: 1 + rng.IntN(3),
		Work: span.Micros(rng.IntN(30)), Path: span.Micros(rng.IntN(8)), Contention: span.Micros(rng.IntN(3)), Until: span.Micros(rng.IntN(40)),
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
			l.Deadline = a.facts.Now + rng.Int64N(15e6)
			at := a.pool.Queue.BeforeDeadline(l.Deadline)
			got, want := a.judge.PredictByWork(l, at), oneByOne(a, l, at)
			if got.Victim != want.Victim || got.Late != want.Late || got.Finish != want.Finish || !slices.Equal(got.Pushed, want.Pushed) {
				t.Fatalf("PredictByWork() = %+v, want %+v as one by one", got, want)
			}
			if last, all := a.judge.LastHurt(l), slices.Collect(a.pool.Queue.All()); last != lastOf(a, l, all) {
				t.Fatalf("LastHurt() = %d, want %d as one by one", last, lastOf(a, l, all))
			}
			if got.Victim != nil {
				hurt++
			}
		}
	}
	if hurt == 0 || hurt == 600 {
		t.Errorf("jobs that hurt another = %d of 600, want some and not all", hurt)
	}
}

func oneByOne(a *Actor, l *pool.Load, at int) judge.Finding {
	all := slices.Collect(a.pool.Queue.All())
	ahead := span.Micros(0)
	for _, job := range all[:at] {
		ahead = span.Plus(ahead, job.Work)
	}
	f := judge.Finding{Ahead: at}
	f.Start, f.Finish = a.judge.PredictBehind(l, ahead)
	before, after := a.judge.Scan(ahead), a.judge.Scan(span.Plus(ahead, l.Work))
	a.judge.CompareAll(&f, all[at:], &before, &after)
	return f
}

func lastOf(a *Actor, l *pool.Load, all []*pool.Load) (last int) {
	before, after := a.judge.Scan(0), a.judge.Scan(l.Work)
	for i, job := range all {
		if job.Deadline == pool.None {
			break
		}
		if finish, pushed := before.Next(job), after.Next(job); finish <= job.UntilDeadline(a.facts.Now) && pushed > job.UntilDeadline(a.facts.Now) {
			last = i + 1
		}
	}
	return last
}

// Turns reach every job of the queue, although jobs come and go meanwhile.
func TestTurnsComeToEveryJob(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	a := longQueue(t, rng, 3000)
	a.pool.Supply.Due = 3000
	seen, left := map[*pool.Load]bool{}, 3000
	var last *pool.Load
	for left > 0 {
		n := min(700, left)
		for _, l := range a.pool.Queue.After(last) {
			last, seen[l] = l, true
			if n--; n == 0 {
				break
			}
		}
		left -= 700
		for range 5 {
			a.pool.Queue.Remove(a.pool.Queue.At(rng.IntN(a.pool.Queue.Len())))
			a.pool.Queue.Insert(someLoad(rng, uint64(1e6+rng.IntN(1e6))))
		}
	}
	for l := range a.pool.Queue.All() {
		if !seen[l] && l.Seq < 3000 {
			t.Fatalf("job %d was passed over, want each job seen", l.Seq)
		}
	}
}
