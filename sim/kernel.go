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

// arm sets when the timer fires, in place of what it was armed for. A time
// that is over means now.
func (k *kernel) arm(t *timer, at time.Duration) {
	k.seq++
	a := armed{max(at, k.now), k.seq, t}
	if t.pos == 0 {
		k.heap = append(k.heap, a)
		t.pos = len(k.heap)
		k.up(t.pos - 1)
		return
	}
	i := t.pos - 1
	k.heap[i] = a
	k.up(i)
	k.down(t.pos - 1)
}

// hasten arms the timer unless it fires earlier anyway.
func (k *kernel) hasten(t *timer, at time.Duration) {
	if t.pos == 0 || at < k.heap[t.pos-1].at {
		k.arm(t, at)
	}
}

func (k *kernel) disarm(t *timer) {
	if t.pos == 0 {
		return
	}
	i, last := t.pos-1, len(k.heap)-1
	k.swap(i, last)
	k.heap[last] = armed{}
	k.heap = k.heap[:last]
	t.pos = 0
	if i < last {
		k.up(i)
		k.down(i)
	}
}

// after calls do once.
func (k *kernel) after(d time.Duration, do func()) { k.arm(&timer{do: do}, k.now+d) }

// step lets the next timer fire, if that is not later than until, and reports
// whether one did.
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

func (k *kernel) less(i, j int) bool {
	a, b := &k.heap[i], &k.heap[j]
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}

func (k *kernel) swap(i, j int) {
	k.heap[i], k.heap[j] = k.heap[j], k.heap[i]
	k.heap[i].timer.pos, k.heap[j].timer.pos = i+1, j+1
}

func (k *kernel) up(i int) {
	for parent := (i - 1) / 2; i > 0 && k.less(i, parent); parent = (i - 1) / 2 {
		k.swap(i, parent)
		i = parent
	}
}

func (k *kernel) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(k.heap) {
			return
		}
		if right := child + 1; right < len(k.heap) && k.less(right, child) {
			child = right
		}
		if !k.less(child, i) {
			return
		}
		k.swap(i, child)
		i = child
	}
}
