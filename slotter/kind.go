package slotter

import (
	"cmp"
	"slices"
	"strings"

	"lull/subjects/ledger"
	"lull/subjects/sorted"
	"lull/subjects/spec"
)

// kind is a set of jobs that differ only in their curves and deadlines.
type kind struct {
	name    string
	near    sorted.List[*job, struct{}]
	far     sorted.List[*ledger.Job, struct{}]
	least   int // number of jobs that should be near
	ordered bool
	tasks   int64 // cores that the far jobs' tasks could use now
}

// kind is the kind in which a job waits. A queue that limits how many jobs run at once
// serves them by submission, as fifo does: then a kind is ordered so, and at least as many
// of each are near as may run, so that those whose turn it is are among them.
func (a *Actor) kind(life *ledger.Job, queue string) *kind {
	said, _ := a.state.Queue(queue)
	name := kindOf(life.Shape, queue+"\x00")
	w := &a.waiting
	k := w.of[name]
	if k == nil {
		_, first := a.policy.(fifo)
		k = newKind(name, first || said.Jobs != 0)
		k.least = max(w.near, int(said.Jobs))
		w.of[name] = k
		at, _ := w.find(name)
		w.byName = slices.Insert(w.byName, at, k)
	}
	return k
}

func (w *waiting) find(name string) (int, bool) {
	return slices.BinarySearchFunc(w.byName, name, func(k *kind, name string) int { return strings.Compare(k.name, name) })
}

// kindOf names the kind of a job: its queue and the needs of its tasks.
func kindOf(job *spec.Job, queue string) string {
	var b strings.Builder
	b.WriteString(queue)
	for i := range job.Stages {
		st := &job.Stages[i]
		for _, n := range [...]uint64{uint64(st.CPU), uint64(st.Memory)} {
			for ; n > 0; n >>= 7 {
				b.WriteByte(byte(n)&127 | 128)
			}
			b.WriteByte(0)
		}
		for _, list := range [...][]string{st.Where, st.Sources} {
			for _, text := range list {
				b.WriteString(text)
				b.WriteByte(1)
			}
			b.WriteByte(2)
		}
	}
	return b.String()
}

func newKind(name string, ordered bool) *kind {
	k := &kind{name: name, ordered: ordered}
	k.near = sorted.New[*job, struct{}](func(a, b *job) int { return k.compare(a.life, b.life) })
	k.far = sorted.New[*ledger.Job, struct{}](k.compare)
	return k
}

func (k *kind) compare(a, b *ledger.Job) int {
	if k.ordered {
		return cmp.Compare(a.Seq, b.Seq)
	}
	return cmp.Or(cmp.Compare(dueOf(a), dueOf(b)), cmp.Compare(a.Seq, b.Seq))
}

func dueOf(life *ledger.Job) int64 {
	if life.Deadline == 0 {
		return never
	}
	return life.Deadline
}

func (w *waiting) drop(k *kind) {
	if at, ok := w.find(k.name); ok && w.of[k.name] == k {
		delete(w.of, k.name)
		w.byName = slices.Delete(w.byName, at, at+1)
	}
}

func (k *kind) push(life *ledger.Job) {
	k.far.Insert(life)
	k.tasks += coresOf(life)
}

func (k *kind) pull(life *ledger.Job) {
	if k.far.Remove(life) {
		k.tasks -= coresOf(life)
	}
}

// rekind sorts all waiting jobs into kinds anew, after an operator has set or removed a
// queue's limit.
func (a *Actor) rekind() {
	all := a.waiting.byName
	a.waiting.of, a.waiting.byName = map[string]*kind{}, nil
	for _, was := range all {
		for j := range was.near.All() {
			k := a.kind(j.life, j.queue.Name)
			j.kind = k
			k.near.Insert(j)
		}
		for life := range was.far.All() {
			a.kind(life, life.Shape.Share()).push(life)
		}
	}
	for _, k := range slices.Clone(a.waiting.byName) {
		for k.far.Len() > 0 && k.near.Len() > 0 { // the first are to be near
			first, _ := k.far.First()
			last, _ := k.near.Last()
			if k.compare(last.life, first) < 0 {
				break
			}
			k.pull(first)
			a.approach(k, first).served = first.Admitted
			if k.near.Len() > k.least {
				k.near.Remove(last)
				a.unschedule(last)
				k.push(last.life)
			}
		}
		a.keepNear(k)
	}
}
