package trace

import (
	"fmt"
	"math"

	"lull/sim"
)

// machine returns the cores and memory of the row's host: from the row, else from Machines, else from the
// options.
func (u *usage) machine(id string) (Machine, *Fault) {
	m := u.o.Machines[id]
	if m.Cores == 0 {
		m.Cores = max(u.o.Cores, 0)
	}
	if m.Cores == 0 && u.o.each == nil {
		m.Cores = defaultCores
	}
	if m.Memory == 0 {
		m.Memory = u.o.Memory
	}
	cores, fault := u.whole(u.cores, float64(m.Cores), 1, MaxCores)
	if fault != nil {
		return m, fault
	}
	megs, fault := u.optional(u.memory, 0, 1, maxMegs)
	if m.Cores = uint32(cores); megs > 0 {
		m.Memory = int64(megs) << 20
	}
	if m.Memory == 0 && u.o.each == nil {
		m.Memory = int64(m.Cores) * memoryPerCore
	}
	return m, fault
}

// percent reads a sample; NaN is a missing one.
func (u *usage) percent(i int) (float32, *Fault) {
	v, fault := u.optional(i, math.NaN(), 0, maxPercent)
	if fault != nil || math.IsNaN(float64(v)) {
		return missing, fault
	}
	if v > 100 {
		u.pool.Clipped++
	}
	return float32(min(v, 100)), nil
}

var missing = float32(math.NaN())

// hold counts samples, so that a file cannot fill the memory.
func (u *usage) hold(n int) error {
	if u.samples += n; u.samples > maxSamples {
		return fileError(u.file, u.line, 0, "it holds more than %d million samples: read fewer series (--take), or a window (--from, --until)", maxSamples/1_000_000)
	}
	return nil
}

// add makes a host of a series: percent a sample, NaN where it is missing.
func (u *usage) add(id string, m Machine, percent []float32) *Fault {
	if u.o.each != nil {
		u.o.each(Series{ID: id, Line: u.at[id], Machine: m, Begin: u.pool.Begin, Every: u.pool.Every, Percent: percent})
		return nil
	}
	lacking, last := 0, -1
	for i, v := range percent {
		if math.IsNaN(float64(v)) {
			lacking++
		} else if last < 0 {
			last = i
		}
	}
	if share := float64(lacking) / float64(len(percent)); last < 0 || share > u.o.MaxMissing {
		return u.lacks(id, share)
	}
	u.pool.Filled += lacking
	u.pool.IDs = append(u.pool.IDs, id)
	u.pool.Hosts = append(u.pool.Hosts, sim.Host{
		Name: u.names.of(id), Cores: m.Cores, Memory: m.Memory,
		Load: sim.Series{Every: u.pool.Every, Cores: used(percent, percent[last], float64(m.Cores))},
	})
	return nil
}

// lacks returns the fault of a series of which most is missing.
func (u *usage) lacks(id string, share float64) *Fault {
	return &Fault{Line: u.at[id], Text: fmt.Sprintf("series %q lacks %.0f %% of its samples: at most %.0f %% may be missing (--max-missing)", brief(id), 100*share, 100*u.o.MaxMissing)}
}

// used turns percent into cores. A missing sample takes the value before it,
// at the begin the first there is.
func used(percent []float32, before float32, cores float64) []float64 {
	list := make([]float64, len(percent))
	for i, v := range percent {
		if !math.IsNaN(float64(v)) {
			before = v
		}
		list[i] = float64(before) / 100 * cores
	}
	return list
}
