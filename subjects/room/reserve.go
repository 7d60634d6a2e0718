// Package room computes how many of a host's cores batch work may use beside the primary: the
// arithmetic of core and memory reserves. Agent, slotter, admission and simulator share it, so that
// no service gives a task to a host that would refuse it.
//
//	cores of the host  ├── primary, rounded up ──┤── batch: one a slot in use ──┤── reserve ──┤
//
// A Meter follows a host's samples. Its readers see the same samples and use the times in
// them, so they agree on what counts as the primary's. The package is pure.
package room

import (
	"math"

	"lull/subjects"
)

// Reserve is what a host keeps free for its primary. The zero value keeps nothing.
type Reserve struct {
	// Cores is how many the host has.
	Cores uint32
	// CPU is how many cores stay free beside the primary and batch work. 0: the kernel
	// alone protects the primary.
	CPU uint32
	// Memory is the available memory, in bytes, that stays free. 0: none.
	Memory int64
}

// Of returns the reserve that a host announced. An agent of an earlier release announces none.
func Of(j *subjects.Joined) Reserve {
	return Reserve{Cores: j.Cores, CPU: j.ReserveCPU, Memory: j.ReserveMemory}
}

// Unlimited is the number of cores that batch work may hold on a host without a core reserve.
const Unlimited = math.MaxInt

// BatchCores returns how many cores batch work may hold while so many count as the primary's. It
// is below 0 where the primary itself uses a part of the reserve.
func (r Reserve) BatchCores(primary int) int {
	if r.CPU == 0 {
		return Unlimited
	}
	return int(r.Cores) - int(r.CPU) - primary
}

// Slots returns how many of the host's slots may run something where so many cores are idle:
// on average over a time, for predictions. It is never below 0.
func (r Reserve) Slots(idle float64, slots int) int {
	return max(min(slots, r.BatchCores(WholeCores(float64(r.Cores)-idle))), 0)
}

// Widest returns the cores of the widest task that the host could run if its primary were
// idle.
func Widest(j *subjects.Joined) int { return max(min(int(j.Slots), Of(j).BatchCores(0)), 0) }

// rounding is what is no use of a core but an error of arithmetic.
const rounding = 1e-6

// WholeCores returns the cores that a use takes up: it is rounded up.
func WholeCores(cores float64) int { return max(int(math.Ceil(cores-rounding)), 0) }
