package capacity

import "testing"

// wide is a job of so many tasks, each of which can use an eighth of a pool that
// reads 80 MB/s for it.
func wide(tasks int, needs float64) Job {
	return Job{Needs: needs, Stages: []Stage{{Tasks: tasks, Most: 1. / 8, Capacity: 80e6}}}
}

func TestPlan(t *testing.T) {
	for name, c := range map[string]struct {
		queues []Queue
		borrow float64
		shares []float64
		rates  []float64 // of each queue's first job
	}{
		"two fair queues": {
			[]Queue{{Weight: 1, Jobs: []Job{wide(8, 0)}}, {Weight: 1, Jobs: []Job{wide(8, 0)}}}, 0.5,
			[]float64{0.5, 0.5}, []float64{5e6, 5e6},
		},
		"two thirds and a third": {
			[]Queue{{Weight: 2, Jobs: []Job{wide(8, 0)}}, {Weight: 1, Jobs: []Job{wide(8, 0)}}}, 0.5,
			[]float64{2. / 3, 1. / 3}, []float64{80e6 / 12, 80e6 / 24},
		},
		"a merger cannot use its queue's share": {
			[]Queue{{Weight: 1, Jobs: []Job{wide(1, 0)}}, {Weight: 1, Jobs: []Job{wide(8, 0)}}}, 0.5,
			[]float64{1. / 8, 7. / 8}, []float64{0, 70e6 / 8},
		},
		"all can run as fast as they may": {
			[]Queue{{Weight: 1, Jobs: []Job{wide(4, 0)}}, {Weight: 9, Jobs: []Job{wide(4, 0)}}}, 0.5,
			[]float64{0.5, 0.5}, []float64{0, 0},
		},
		"a deadline takes half of the others' share at most": {
			[]Queue{{Weight: 1, Jobs: []Job{wide(8, 1)}}, {Weight: 1, Jobs: []Job{wide(8, 0)}}}, 0.5,
			[]float64{0.75, 0.25}, []float64{7.5e6, 2.5e6},
		},
		"jobs of a queue share alike, but for deadlines": {
			[]Queue{{Weight: 1, Jobs: []Job{wide(8, 0.7), wide(8, 0)}}}, 0.5,
			[]float64{1}, []float64{7e6},
		},
	} {
		Plan(c.queues, c.borrow)
		for i := range c.queues {
			q := &c.queues[i]
			if !within(q.Share, c.shares[i]) || !within(q.Jobs[0].Stages[0].Rate, c.rates[i]) {
				t.Errorf("%s: queue %d has %v at %v bytes/s, want %v at %v", name, i, q.Share, q.Jobs[0].Stages[0].Rate, c.shares[i], c.rates[i])
			}
		}
	}
}

// What a type's capacity is not known for has its share, but no rate.
func TestAnUnknownCapacityIsNoRate(t *testing.T) {
	unknown := wide(8, 0)
	unknown.Stages[0].Capacity = 0
	queues := []Queue{{Weight: 1, Jobs: []Job{unknown}}, {Weight: 1, Jobs: []Job{wide(8, 0)}}}
	if !Plan(queues, 0) {
		t.Fatal("Plan(sixteen tasks, room for eight) = false, want true")
	}
	if a, b := queues[0].Jobs[0].Stages[0].Rate, queues[1].Jobs[0].Stages[0].Rate; a != 0 || !within(b, 5e6) {
		t.Errorf("rates = %v, %v, want 0, 5e6", a, b)
	}
}

func TestAnAccountRemembersForAWhile(t *testing.T) {
	var a Account
	a.Advance(0, 2, 8)
	a.Advance(60, 2, 8)
	if owed := a.Repayment(300); !(-1.2 < owed && owed < -0.9) {
		t.Errorf("slots owed to it after a minute without six = %v, want about 1", -owed)
	}
	a.Advance(3600, 8, 8)
	if owed := a.Repayment(300); owed < -4 {
		t.Errorf("slots owed to it = %v, want at most 4, half of its share", -owed)
	}
	a.Advance(3600, 8, 8)
	if owed := a.Repayment(300); !(-2 < owed && owed < 0) {
		t.Errorf("slots owed to it an hour later = %v, want 0 to 2", -owed)
	}
}

func BenchmarkPlan(b *testing.B) {
	queues := make([]Queue, 8)
	for i := range queues {
		queues[i].Weight = float64(1 + i)
		for range 125 {
			queues[i].Jobs = append(queues[i].Jobs, wide(8, 0))
		}
	}
	for b.Loop() {
		Plan(queues, 0.5)
	}
}
