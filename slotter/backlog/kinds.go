package backlog

import (
	"cmp"
	"slices"
	"strings"

	"lull/slotter/facts"
	"lull/subjects/ledger"
	"lull/subjects/sorted"
	"lull/subjects/spec"
)

// kind is a set of waiting jobs of one queue with tasks of the same needs. They differ in their curves and
// deadlines. Package backlog says what near and far jobs are.
type kind struct {
	name    string
	near    near
	far     sorted.List[*ledger.Job, struct{}]
	least   int   // number of jobs that should be near
	ordered bool  // by submission only, not by deadline first
	tasks   int64 // thousandths of cores that the far jobs' tasks could use now
}

// kindOf returns the kind in which a job waits. A queue that limits how many jobs run at once serves
// them by submission, as fifo does. So its kinds are ordered by submission, and in each at least as many
// jobs are near as may run at once. Those that may run next are then always near.
func (b *Backlog) kindOf(life *ledger.Job, queue string) *kind {
	settings, _ := b.Ledger.Queue(queue)
	name := kindName(life.Shape, queue+"\x00")
	k := b.of[name]
	if k == nil {
		k = newKind(name, b.Config.FirstComeFirstServed() || settings.Jobs != 0)
		k.least = max(b.near, int(settings.Jobs))
		b.of[name] = k
		at, _ := b.indexOf(name)
		b.byName = slices.Insert(b.byName, at, k)
	}
	return k
}

// indexOf returns where the kind of a name stands in byName, or would stand.
func (b *Backlog) indexOf(name string) (int, bool) {
	return slices.BinarySearchFunc(b.byName, name, func(k *kind, name string) int { return strings.Compare(k.name, name) })
}

// kindName returns the name of a job's kind. It encodes the queue and the needs of the job's tasks.
func kindName(job *spec.Job, queue string) string {
	var name strings.Builder
	name.WriteString(queue)
	for i := range job.Stages {
		st := &job.Stages[i]
		for _, n := range [...]uint64{uint64(st.Cores()), uint64(st.Memory)} {
			for ; n > 0; n >>= 7 {
				name.WriteByte(byte(n)&127 | 128)
			}
			name.WriteByte(0)
		}
		for _, list := range [...][]string{st.Where, st.Sources} {
			for _, text := range list {
				name.WriteString(text)
				name.WriteByte(1)
			}
			name.WriteByte(2)
		}
	}
	return name.String()
}

func newKind(name string, ordered bool) *kind {
	k := &kind{name: name, ordered: ordered}
	k.near = newNear(k.compare)
	k.far = sorted.New[*ledger.Job, struct{}](k.compare)
	return k
}

// compare orders jobs as the kind serves them.
func (k *kind) compare(a, b *ledger.Job) int {
	if k.ordered {
		return cmp.Compare(a.Seq, b.Seq)
	}
	return cmp.Or(cmp.Compare(dueOf(a), dueOf(b)), cmp.Compare(a.Seq, b.Seq))
}

func dueOf(life *ledger.Job) int64 {
	if life.Deadline == 0 {
		return facts.Never
	}
	return life.Deadline
}

func (b *Backlog) dropKind(k *kind) {
	if at, ok := b.indexOf(k.name); ok && b.of[k.name] == k {
		delete(b.of, k.name)
		b.byName = slices.Delete(b.byName, at, at+1)
	}
}

func (k *kind) addFar(life *ledger.Job) {
	k.far.Insert(life)
	k.tasks += coresOf(life)
}

func (k *kind) removeFar(life *ledger.Job) {
	if k.far.Remove(life) {
		k.tasks -= coresOf(life)
	}
}

// Regroup sorts all waiting jobs into kinds anew, after an operator has set or removed a
// queue's limit.
func (b *Backlog) Regroup() {
	all := b.byName
	b.of, b.byName = map[string]*kind{}, nil
	for _, was := range all {
		for j := range was.near.all() {
			k := b.kindOf(j.Life, j.Queue.Name)
			k.near.add(j, k)
		}
		for life := range was.far.All() {
			b.kindOf(life, life.Shape.Share()).addFar(life)
		}
	}
	for _, k := range slices.Clone(b.byName) {
		for k.far.Len() > 0 && k.near.len() > 0 { // move the first far jobs before the last near one
			first, _ := k.far.First()
			last, _ := k.near.last()
			if k.compare(last.Life, first) < 0 {
				break
			}
			k.removeFar(first)
			b.promote(k, first).Served = first.Admitted
			if k.near.len() > k.least {
				b.demoteLast(k)
			}
		}
		b.balance(k)
	}
}

// count updates the number of places for one host. A place is a slot, or a place ahead where a task waits
// for one.
func (b *Backlog) count(h *facts.Host) {
	b.places -= h.Counted
	h.Counted = 0
	if !h.Life.Gone {
		h.Counted = int(h.Life.Joined.Slots + h.Life.Joined.Ahead)
	}
	b.places += h.Counted
}

// Recount updates the number of places after a host has come or gone.
func (b *Backlog) Recount(name string) {
	if h := b.Hosts.Of[name]; h != nil {
		b.count(h)
		b.resize()
	}
}

// resize adjusts the number of near jobs to the number of places in the pool.
func (b *Backlog) resize() {
	if near := max(leastNear, 2*b.places); near != b.near {
		b.near = near
		for _, k := range slices.Clone(b.byName) {
			settings, _ := b.Ledger.Queue(strings.SplitN(k.name, "\x00", 2)[0])
			k.least = max(near, int(settings.Jobs))
			b.balance(k)
		}
	}
}
