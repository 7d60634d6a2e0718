package admission

import (
	"time"

	"lull/subjects"
)

// lag is how long a host may be unknown here that joined before a job was
// submitted: inbox and log are read apart. Nobody is told before that no host can
// run it.
const lag = int64(time.Second)

// verdict judges a newcomer, if the pool is known well enough.
func (a *Actor) verdict(b *bench, n newcomer) {
	if a.cfg.Mode != ModeAll && n.deadline != 0 && n.deadline <= a.now {
		b.add(a.tooLate(n))
		return
	}
	if at := a.settled(n); at > a.now {
		a.await(at)
		return
	}
	if text := a.impossible(n); text != "" {
		if at := n.at + lag; at > a.now {
			a.await(at)
			return
		}
		b.add(n.rejected(subjects.ReasonNoHost, text, 0))
		return
	}
	a.weighed(b, n)
}

// await notes the earliest time at which a verdict that waits is due.
func (a *Actor) await(at int64) {
	if a.settles == 0 || at < a.settles {
		a.settles = at
	}
}

// weighed admits a newcomer if it keeps its deadline and makes no other job miss one.
func (a *Actor) weighed(b *bench, n newcomer) {
	a.look()
	l := a.newcomer(n)
	l.seq = b.next
	b.next++
	f := a.judge(l)
	b.looks += f.looks
	if !f.admissible(a.cfg.Mode, a.until(l)) {
		if at := min(a.grown(), a.settle(n.at)); at > a.now && at < l.deadline {
			a.await(at)
			return
		}
		b.add(a.refuse(n, l, f))
		return
	}
	a.queue.Insert(l)
	b.newcomers = append(b.newcomers, l)
	b.add(a.admit(n, l, f))
}

func (a *Actor) newcomer(n newcomer) *load {
	l := a.newLoad(n.spec, nil)
	l.salt = n.at
	if n.deadline != 0 {
		l.deadline = n.deadline
	}
	l.weigh(a.supply.blocking)
	return l
}
