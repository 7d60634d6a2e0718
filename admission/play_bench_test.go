package admission

import (
	"fmt"
	"testing"
)

// crowd is a pool with the longest queue that is played.
func crowd(b *testing.B, hosts, jobs, tasks int) (*Actor, *load) {
	p := newDriver(b, Config{})
	for i := range hosts {
		p.join(fmt.Sprint("host-", i), float64(1+i%4))
	}
	for range jobs {
		p.submit(tasks, "10h")
	}
	p.a.pool.refresh()
	l := *p.a.pool.queue.At(0)
	l.life = nil
	return p.a, &l
}

func BenchmarkRehearsal(b *testing.B) {
	for _, c := range []struct{ hosts, jobs, tasks int }{{1, 5, 8}, {50, 5, 8}, {50, 60, 8}, {50, 250, 20}} {
		a, l := crowd(b, c.hosts, c.jobs, c.tasks)
		name := fmt.Sprintf("%d-slots/%d-jobs/%d-tasks", 4*c.hosts, c.jobs, c.tasks)
		b.Run("judge/"+name, func(b *testing.B) {
			for b.Loop() {
				a.judge.predict(l)
			}
		})
		b.Run("earliest/"+name, func(b *testing.B) {
			for b.Loop() {
				a.judge.earliest(l)
			}
		})
	}
}
