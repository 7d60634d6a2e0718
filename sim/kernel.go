package sim

import "time"

// kernel is virtual time: a binary heap of timers by (time, sequence). What is
// armed for the same instant happens in the order in which it was armed, so
// that nothing is left to chance.
type kernel struct {
	now   time.Duration // since the scenario's begin; negative while the pool begins
	seq   uint64
	heap  []armed
	steps int
}

// armed stands in the heap by value: comparing must not chase pointers.
type armed struct {
	at    time.Duration
	seq   uint64
	timer *timer
}

// timer calls do at a time. It belongs to one kernel, can be armed again at
// any time and costs no allocation then.
type timer struct {
	do  func()
	pos int // place in the heap plus one, 0 while it is not armed
}

// arm sets when the timer fires, in place of an earlier setting. A time in the past means now.
func (k *kernel) arm(t *timer, at time.Duration) {
	k.seq++
	a := armed{max(at, k.now), k.seq, t}
	i := t.pos - 1
	if i < 0 {
		i = len(k.heap)
		k.heap = append(k.heap, a)
	}
	k.settle(i, a)
}

// armEarlier arms the timer unless it fires earlier anyway.
func (k *kernel) armEarlier(t *timer, at time.Duration) {
	if t.pos == 0 || at < k.heap[t.pos-1].at {
		k.arm(t, at)
	}
}

func (k *kernel) disarm(t *timer) {
	if t.pos == 0 {
		return
	}
	i, last := t.pos-1, len(k.heap)-1
	a := k.heap[last]
	k.heap[last] = armed{}
	k.heap = k.heap[:last]
	t.pos = 0
	if i < last {
		k.settle(i, a)
	}
}

// after calls do once.
func (k *kernel) after(d time.Duration, do func()) { k.arm(&timer{do: do}, k.now+d) }

// step fires the next timer, if that is not later than until, and reports whether one fired.
func (k *kernel) step(until time.Duration) bool {
	if len(k.heap) == 0 || k.heap[0].at > until {
		return false
	}
	next := k.heap[0]
	k.disarm(next.timer)
	k.now = next.at
	k.steps++
	next.timer.do()
	return true
}

func (a *armed) before(b *armed) bool {
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}

// settle puts a into the heap, which has a hole at i. Entries in its way move into the hole.
func (k *kernel) settle(i int, a armed) {
	if parent := (i - 1) / 2; i > 0 && a.before(&k.heap[parent]) {
		k.up(i, a)
		return
	}
	k.down(i, a)
}

func (k *kernel) put(i int, a armed) {
	k.heap[i] = a
	a.timer.pos = i + 1
}

func (k *kernel) up(i int, a armed) {
	for parent := (i - 1) / 2; i > 0 && a.before(&k.heap[parent]); parent = (i - 1) / 2 {
		k.put(i, k.heap[parent])
		i = parent
	}
	k.put(i, a)
}

func (k *kernel) down(i int, a armed) {
	for {
		child := 2*i + 1
		if right := child + 1; right < len(k.heap) && k.heap[right].before(&k.heap[child]) {
			child = right
		}
		if child >= len(k.heap) || !k.heap[child].before(&a) {
			k.put(i, a)
			return
		}
		k.put(i, k.heap[child])
		i = child
	}
}
