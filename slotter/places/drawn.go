package places

import (
	"math/bits"
	"math/rand/v2"

	"lull/slotter/facts"
)

// drawQueue hands out hosts by chance, each in proportion to its free slots, as history-based
// harvesting does (Zhang et al., OSDI 2016, Algorithm 1, line 20). The draw follows from the
// seed alone.
type drawQueue struct {
	hosts  []*facts.Host
	free   []int // of each host; 0 while it is handed out
	sums   []int // sums[i] is that of free over the range that ends with i: a Fenwick tree, from 1 on
	total  int
	out    int // the host that was handed out last
	random rand.PCG
}

// reset takes the hosts with free slots of a round.
func (q *drawQueue) reset(open []*facts.Host, seed uint64) {
	q.hosts, q.free, q.total = q.hosts[:0], q.free[:0], 0
	for _, h := range open {
		if n := chances(h); n > 0 {
			q.hosts, q.free, q.total = append(q.hosts, h), append(q.free, n), q.total+n
		}
	}
	q.sums = append(q.sums[:0], make([]int, len(q.hosts)+1)...)
	for i, n := range q.free {
		q.add(i, n)
	}
	q.random.Seed(seed, uint64(len(q.hosts)))
}

// take draws a host, nil if none is left. It comes back with put, or never in the round.
func (q *drawQueue) take() *facts.Host {
	if q.total == 0 {
		return nil
	}
	r, _ := bits.Mul64(q.random.Uint64(), uint64(q.total))
	q.out = q.hostAt(int(r))
	q.set(q.out, 0)
	return q.hosts[q.out]
}

// put brings the host back that was handed out last.
func (q *drawQueue) put(h *facts.Host) { q.set(q.out, chances(h)) }

// chances is the weight of a host: its free slots, or one if there is room in a slot in use.
func chances(h *facts.Host) int {
	if n := h.Free(); n > 0 || !h.Parts.Spare() {
		return n
	}
	return 1
}

func (q *drawQueue) set(i, n int) {
	q.add(i, n-q.free[i])
	q.total += n - q.free[i]
	q.free[i] = n
}

func (q *drawQueue) add(i, n int) {
	for i++; i < len(q.sums); i += i & -i {
		q.sums[i] += n
	}
}

// hostAt is the first host with which more than r free slots have been counted.
func (q *drawQueue) hostAt(r int) (i int) {
	for step := 1 << bits.Len(uint(len(q.hosts))); step > 0; step >>= 1 {
		if next := i + step; next < len(q.sums) && q.sums[next] <= r {
			i, r = next, r-q.sums[next]
		}
	}
	return i
}
