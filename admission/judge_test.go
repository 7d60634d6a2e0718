package admission

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/admission/level"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
)

// world is an actor with a random queue and random running tasks, small enough
// to search.
func world(t *rapid.T, mode string) *Actor {
	a, err := New(Config{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	a.facts.Now = int64(time.Hour)
	var free []span.Micros
	for range rapid.IntRange(1, 4).Draw(t, "slots") {
		free = append(free, span.Micros(rapid.IntRange(0, 9).Draw(t, "free")))
	}
	a.pool.Supply.Level = level.New(free)
	for i := range rapid.IntRange(0, 7).Draw(t, "jobs") {
		l := randomLoad(t)
		l.Seq, l.Deadline = uint64(i), a.facts.Now+1000*rapid.Int64Range(-5, 60).Draw(t, "deadline")
		if rapid.IntRange(0, 5).Draw(t, "free") == 0 {
			l.Deadline = pool.None
		}
		a.pool.Queue.Insert(l)
	}
	return a
}

func randomLoad(t *rapid.T) *pool.Load {
	work := span.Micros(rapid.IntRange(0, 30).Draw(t, "work"))
	chain := span.Micros(rapid.IntRange(0, 8).Draw(t, "chain"))
	wide := rapid.IntRange(1, 5).Draw(t, "wide")
	return &pool.Load{Seq: 99, Deadline: pool.None, Work: work, Path: chain, PathSlots: wide}
}

// rises is the level after so much work, by pouring it microsecond by
// microsecond into the slots that are free.
func rises(free []span.Micros, work span.Micros) (at span.Micros, slots int) {
	free = slices.Sorted(slices.Values(free))
	for at = free[0]; ; at++ {
		done := span.Micros(0)
		slots = 0
		for _, f := range free {
			done += max(at-f, 0)
			if f < at || slots == 0 {
				slots++
			}
		}
		if done >= work {
			return at, slots
		}
	}
}

func TestTheLevelIsWaterOverSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := world(t, subjects.ModeAffected)
		free := slices.Clone(a.pool.Supply.Level.Free)
		first := span.Micros(rapid.IntRange(0, 40).Draw(t, "first"))
		r := a.pool.Supply.Level.After(first)
		for _, work := range []span.Micros{first, first + 7, first + 50} {
			if want, _ := rises(free, work); r.To(work) != want {
				t.Fatalf("slots free at %v, work %d: level = %d, want %d as by pouring", free, work, r.To(work), want)
			}
		}
	})
}

// misses lists the jobs that miss their deadlines when each waits for all before
// it: equation 7, job by job, from the beginning.
func misses(a *Actor, q []*pool.Load) map[*pool.Load]bool {
	missed := map[*pool.Load]bool{}
	ahead := span.Micros(0)
	for _, l := range q {
		_, finish := a.judge.PredictBehind(l, ahead)
		ahead = span.Plus(ahead, l.Work)
		if l.Deadline != pool.None && finish > span.Since(a.facts.Now, l.Deadline) {
			missed[l] = true
		}
	}
	return missed
}

// admits inserts the job and compares the late jobs with those before.
func admits(a *Actor, l *pool.Load) bool {
	q := slices.Collect(a.pool.Queue.All())
	before := misses(a, q)
	after := misses(a, slices.Insert(slices.Clone(q), a.pool.Queue.BeforeDeadline(l.Deadline), l))
	switch {
	case after[l]:
		return false
	case a.facts.Config.Mode == subjects.ModeEq7:
		return true
	}
	for _, job := range q {
		if after[job] && !before[job] {
			return false
		}
	}
	return true
}

func TestJudgeIsEquationSeven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := world(t, rapid.SampledFrom([]string{subjects.ModeAffected, subjects.ModeEq7}).Draw(t, "mode"))
		l := randomLoad(t)
		l.Deadline = a.facts.Now + 1000*rapid.Int64Range(-5, 90).Draw(t, "new deadline")
		f := a.judge.Predict(l)
		if got, want := f.Admissible(a.facts.Config.Mode, l.UntilDeadline(a.facts.Now)), admits(a, l); got != want {
			t.Fatalf("admitted: %v, job by job: %v", got, want)
		}
	})
}

// What is earliest is always admitted. It is the first that is, but where a job ends within a
// microsecond of its deadline and rounding decides whether it is hurt.
func TestEarliestIsTheFirstDeadlineThatIsAdmitted(t *testing.T) {
	first, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := world(t, rapid.SampledFrom([]string{subjects.ModeAffected, subjects.ModeEq7}).Draw(t, "mode"))
		l := randomLoad(t)
		got, ok := a.judge.Earliest(l)
		if !ok {
			t.Fatal("Earliest() in a queue that ends found no deadline, want one")
		}
		for l.Deadline = a.facts.Now - 10_000; !admits(a, l); l.Deadline += 1000 {
			if l.Deadline > a.facts.Now+int64(time.Millisecond) {
				t.Fatal("trying one deadline after another finds none, want one by now + 1 ms")
			}
		}
		want := span.Since(a.facts.Now, l.Deadline)
		if l.Deadline = a.facts.Now + int64(got)*1000; got < want || !admits(a, l) {
			t.Fatalf("earliest is %d, by search %d", got, want)
		}
		if all++; got <= want+1 {
			first++
		}
	})
	if first < all*98/100 {
		t.Errorf("deadlines offered that are the first safe ones = %d of %d, want at least 98 %%", first, all)
	}
}

func TestNothingIsSafeWithoutCPU(t *testing.T) {
	a, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	a.pool.Supply.Level = level.New(nil)
	l := &pool.Load{Work: 5, Path: span.Horizon, PathSlots: 1, Deadline: int64(time.Hour)}
	if _, ok := a.judge.Earliest(l); ok {
		t.Error("Earliest(a job that never ends) found a deadline, want none")
	}
	if f := a.judge.Predict(l); f.Admissible(subjects.ModeAffected, l.UntilDeadline(a.facts.Now)) {
		t.Errorf("a job that never ends is admissible: %+v, want it not", f)
	}
}

func TestSumsOfPredictionsDoNotOverflow(t *testing.T) {
	q := pool.NewQueue()
	for i := range 100 {
		q.Insert(&pool.Load{Seq: uint64(i), Work: span.SlotTime(1<<31, 1e18), Deadline: pool.None})
	}
	if got := q.Work(100); got != span.Endless {
		t.Errorf("Work(100) = %v, want Endless", got)
	}
	v := level.New([]span.Micros{span.Horizon, span.Horizon, 0})
	r := v.After(span.Endless - 1)
	if got := r.To(span.Endless - 1); got <= 0 || got > span.Horizon {
		t.Errorf("level after an endless path = %v, want above 0 and at most the horizon", got)
	}
}
