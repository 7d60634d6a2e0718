package judge

import (
	"container/heap"

	"lull/admission/pool"
	"lull/admission/span"
)

// gate lets at most so many tasks run at once: of a stage, or of a whole job.
type gate struct {
	most int // 0: no bound
	ends ends
}

// ends are when the last of the tasks end that were let in, at most as many as may run at once, the soonest on top.
type ends []span.Micros

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i] < e[j] }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(span.Micros)) }

func (e *ends) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// opens is when the gate lets the next task in.
func (g *gate) opens() span.Micros {
	if g.most == 0 || len(g.ends) < g.most {
		return 0
	}
	return g.ends[0]
}

// enter lets a task in that runs until end.
func (g *gate) enter(end span.Micros) {
	if g.most == 0 {
		return
	}
	if heap.Push(&g.ends, end); len(g.ends) > g.most {
		heap.Pop(&g.ends)
	}
}

// shut gives the job the gates of its document, with the tasks that run already.
func (q *playedJob) shut(seats pool.Seats) {
	bounded := q.Shape.AtOnce > 0
	q.gate = gate{most: int(q.Shape.AtOnce)}
	for k := range q.stages {
		q.stages[k].gate = gate{most: int(q.Shape.Stages[k].AtOnce)}
		bounded = bounded || q.stages[k].most > 0
	}
	if !bounded {
		return
	}
	seen := map[uint64]bool{} // a task of several cores has several seats
	for i := range seats {
		s := &seats[i]
		if s.Load != q.Load || seen[s.Attempt] || s.Stage >= len(q.stages) {
			continue
		}
		seen[s.Attempt] = true
		q.enter(s.Free)
		q.stages[s.Stage].enter(s.Free)
	}
}

// begins is when a task of the stage may begin, by what it waits for and how many may run at once.
func (q *playedJob) begins(k int) span.Micros {
	act := &q.stages[k]
	return max(act.ready, act.opens(), q.opens())
}
