package admission

import (
	"fmt"
	"lull/admission/pool"
	"testing"
)

// crowd is a pool with the longest queue that is played.
func crowd(b *testing.B, hosts, jobs, tasks int) (*Actor, *pool.Load) {
	p := newDriver(b, Config{})
	for i := range hosts {
		p.join(fmt.Sprint("host-", i), float64(1+i%4))
	}
	for range jobs {
		p.submit(tasks, "10h")
	}
	p.a.pool.Refresh()
	l := *p.a.pool.Queue.At(0)
	l.Life = nil
	return p.a, &l
}

func BenchmarkRehearsal(b *testing.B) {
	for _, c := range []struct{ hosts, jobs, tasks int }{{1, 5, 8}, {50, 5, 8}, {50, 60, 8}, {50, 250, 20}} {
		a, l := crowd(b, c.hosts, c.jobs, c.tasks)
		name := fmt.Sprintf("%d-slots/%d-jobs/%d-tasks", 4*c.hosts, c.jobs, c.tasks)
		b.Run("judge/"+name, func(b *testing.B) {
			for b.Loop() {
				a.judge.Predict(l)
			}
		})
		b.Run("earliest/"+name, func(b *testing.B) {
			for b.Loop() {
				a.judge.Earliest(l)
			}
		})
	}
}
