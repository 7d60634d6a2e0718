package admission

import (
	"lull/subjects"
	"lull/subjects/tct"
)

// maxCurves bounds the curves that are kept ready, at a kilobyte each.
const maxCurves = 4096

// verdict judges a newcomer, if the pool is known well enough.
func (a *Actor) verdict(b *bench, n newcomer) {
	if n.deadline != 0 && n.deadline <= a.now {
		b.add(a.tooLate(n))
		return
	}
	if at := a.settled(n); at > a.now {
		a.await(at)
		return
	}
	if text := a.impossible(n); text != "" {
		b.add(n.rejected(subjects.ReasonNoHost, text, 0))
		return
	}
	a.weigh(b, n)
}

// await notes the earliest time at which a verdict that waits is due.
func (a *Actor) await(at int64) {
	if a.settles == 0 || at < a.settles {
		a.settles = at
	}
}

// weigh admits a newcomer if it keeps its deadline and hurts nobody's.
func (a *Actor) weigh(b *bench, n newcomer) {
	a.prepare(b)
	l := a.newLoad(b, n)
	f := judge(b.queue, l, a.cfg.Mode)
	if !f.admissible(l) {
		b.add(a.refuse(b, n, l, f))
		return
	}
	b.queue = b.queue.insert(l)
	b.add(a.admit(n, l, f))
}

// prepare looks at the pool, once a step and only when a verdict needs it.
func (a *Actor) prepare(b *bench) {
	if a.curves.Len() > maxCurves {
		a.curves = tct.NewCurves()
	}
	if b.capacity == nil {
		b.capacity = a.capacity()
		b.queue = a.queue(b.capacity)
	}
}

func (a *Actor) newLoad(b *bench, n newcomer) load {
	remaining := make([]int, len(n.spec.Stages))
	for i := range remaining {
		remaining[i] = int(n.spec.Stages[i].Tasks)
	}
	l := load{
		prediction: a.predict(b.capacity, n.spec, remaining),
		id:         n.id, seq: b.next, deadline: a.until(n.deadline),
	}
	b.next++
	return l
}
