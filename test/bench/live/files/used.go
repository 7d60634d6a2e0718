package files

import (
	"context"
	"time"

	"lull/test/bench/live/host"
)

// rounds are the measurements of one side of a row, in seconds.
type rounds struct {
	took []float64
	cpu  [kinds][]float64
}

// Kinds of processes, by what uses their CPU.
const (
	tasks   = iota // the tasks' own processes, and xargs
	shims          // of lull
	service        // lull itself
	kinds
)

// used is the CPU that processes of each kind have used so far.
type used [kinds]time.Duration

func (r *rounds) add(ctx context.Context, work func(context.Context) error, cpu func() (used, error)) error {
	before, err := cpu()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := work(ctx); err != nil {
		return err
	}
	r.took = append(r.took, time.Since(start).Seconds())
	after, err := cpu()
	for kind := range after {
		r.cpu[kind] = append(r.cpu[kind], (after[kind] - before[kind]).Seconds())
	}
	return err
}

func (f *filing) shellCPU() (used, error) { return used{tasks: f.cpu}, nil }

// lullCPU sums up the processes of lull: the service, its shims, and what shims have waited for.
func (f *filing) lullCPU() (u used, err error) {
	pids, err := host.ProcessesOf(f.binary)
	if err != nil {
		return u, err
	}
	for _, pid := range pids {
		own, err := host.CPUTime(pid)
		if err != nil {
			return u, err
		}
		if pid == f.in.PID() {
			u[service] = own
			continue
		}
		family, err := host.FamilyTime(pid)
		if err != nil {
			return u, err
		}
		u[shims] += own
		u[tasks] += family - own
	}
	return u, nil
}
