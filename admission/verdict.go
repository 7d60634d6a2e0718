package admission

import (
	"time"

	"lull/admission/facts"
	"lull/subjects"
)

// lag is how long a host may be unknown here that joined before a job was
// submitted: inbox and log are read apart. No verdict says before that no host
// can run it.
const lag = int64(time.Second)

// verdicts says which jobs may run, with the reasons.
type verdicts struct {
	*facts.Facts
	pool    *pool
	judge   *judge
	trials  *trials
	settles int64 // when a verdict that waits will be due, 0 for none
}

// verdict judges a newcomer, if the pool is known well enough.
func (v *verdicts) verdict(b *bench, n newcomer) {
	if v.Config.Mode != subjects.ModeAll && n.deadline != 0 && n.deadline <= v.Now && !n.spec.Late {
		b.add(v.tooLate(n))
		return
	}
	if text := v.pool.names.Refuses(n.spec.Share()); text != "" {
		b.add(n.rejected(subjects.ReasonQueues, text, 0))
		return
	}
	if at := v.settled(n); at > v.Now {
		v.await(at)
		return
	}
	if text := v.impossible(n); text != "" {
		if at := n.at + lag; at > v.Now {
			v.await(at)
			return
		}
		b.add(n.rejected(subjects.ReasonNoHost, text, 0))
		return
	}
	if !v.trials.over(n) {
		v.await(n.until())
		return
	}
	v.weighed(b, n)
}

// await notes the earliest time at which a verdict that waits is due.
func (v *verdicts) await(at int64) {
	if v.settles == 0 || at < v.settles {
		v.settles = at
	}
}

// weighed admits a newcomer if it keeps its deadline and makes no other job miss one.
func (v *verdicts) weighed(b *bench, n newcomer) {
	v.pool.refresh()
	l := v.trials.load(n)
	if l == nil {
		l = v.newcomer(n)
	}
	l.seq = b.next
	b.next++
	f := v.judge.predict(l)
	b.looks += f.looks
	admissible := f.admissible(v.Config.Mode, l.untilDeadline(v.Now))
	if v.trials.begins(n, l, admissible) {
		b.add(v.trials.begin(n))
		return
	}
	if !admissible {
		if at := min(v.grown(), v.Settle(n.at)); at > v.Now && at < l.deadline {
			v.await(at)
			return
		}
		if !n.spec.Late {
			b.add(v.refuse(n, l, f))
			return
		}
		b.add(v.admitLate(n, l, f))
		return
	}
	v.pool.enter(l)
	b.newcomers = append(b.newcomers, l)
	b.add(v.admit(n, l, f))
}

func (v *verdicts) newcomer(n newcomer) *load {
	l := v.pool.costs.newLoad(n.spec, nil)
	l.salt = n.at
	if n.deadline != 0 {
		l.deadline = n.deadline
	}
	v.pool.weigh(l)
	return l
}
