package admission

import (
	"time"

	"lull/admission/facts"
	"lull/admission/judge"
	"lull/admission/pool"
	"lull/subjects"
)

// maxLag bounds how much later than the inbox the log may be read. A host that joined before a job was
// submitted may be unknown here for so long. Until then no verdict says that no host can run the job.
const maxLag = int64(time.Second)

// verdicts decides which jobs may run, and gives the reasons.
type verdicts struct {
	*facts.Facts
	pool    *pool.Pool
	judge   *judge.Judge
	trials  *pool.Trials
	grounds *grounds
	settles int64 // when a verdict that waits will be due, 0 for none
}

// verdict judges a newcomer, if the pool is known well enough.
func (v *verdicts) verdict(b *batch, n pool.Newcomer) {
	if v.Config.Mode != subjects.ModeAll && n.Deadline != 0 && n.Deadline <= v.Now && !n.Spec.Late {
		b.add(v.tooLate(n))
		return
	}
	if text := v.unmet(n); text != "" {
		b.add(n.Rejected(subjects.ReasonAfter, text, 0))
		return
	}
	if text := v.pool.Names.Refuses(n.Spec.Share()); text != "" {
		b.add(n.Rejected(subjects.ReasonQueues, text, 0))
		return
	}
	if at := v.settled(n); at > v.Now {
		v.await(at)
		return
	}
	if text := v.impossible(n); text != "" {
		if at := n.At + maxLag; at > v.Now {
			v.await(at)
			return
		}
		b.add(n.Rejected(subjects.ReasonNoHost, text, 0))
		return
	}
	if !v.trials.Over(n) {
		v.await(n.Until())
		return
	}
	v.weigh(b, n)
}

// await notes the earliest time at which a verdict that waits is due.
func (v *verdicts) await(at int64) {
	if v.settles == 0 || at < v.settles {
		v.settles = at
	}
}

// weigh admits a newcomer if it keeps its deadline and makes no other job miss one.
func (v *verdicts) weigh(b *batch, n pool.Newcomer) {
	v.pool.Refresh()
	l := v.trials.Load(n)
	if l == nil {
		l = v.newLoad(n)
	}
	l.Seq = b.next
	b.next++
	f := v.judge.Predict(l)
	b.looks += f.Looks
	admissible := f.Admissible(v.Config.Mode, l.UntilDeadline(v.Now))
	if v.trials.Needed(n, l, admissible) {
		b.add(v.trials.Event(n))
		return
	}
	if !admissible {
		if at := min(v.telemetryFullAt(), v.Settle(n.At)); at > v.Now && at < l.Deadline {
			v.await(at)
			return
		}
		if !n.Spec.Late {
			b.add(v.refuse(n, l, f))
			return
		}
		b.add(v.admitLate(n, l, f))
		return
	}
	v.pool.Enter(l)
	b.newcomers = append(b.newcomers, l)
	b.add(v.admit(n, l, f))
}

func (v *verdicts) newLoad(n pool.Newcomer) *pool.Load {
	l := v.pool.Costs.NewLoad(n.Spec, nil)
	l.Salt = n.At
	if n.Deadline != 0 {
		l.Deadline = n.Deadline
	}
	v.pool.Weigh(l)
	return l
}
