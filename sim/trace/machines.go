package trace

import "io"

// Machine is what a host has.
type Machine struct {
	Cores  uint32
	Memory int64 // bytes
}

// Machines reads a table of hosts by series_id: the columns cores and, if
// there, memory_mb or memory_kb. It ignores other columns, because such
// tables are inventories with much else.
func Machines(r io.Reader, file string, skipBad bool) (map[string]Machine, error) {
	t, err := openTable(r, file)
	if err != nil {
		return nil, err
	}
	if err := t.unique(); err != nil {
		return nil, err
	}
	id, cores, megs, kilos := t.column("series_id"), t.column("cores"), t.column("memory_mb"), t.column("memory_kb")
	if id < 0 || cores < 0 {
		return nil, fileError(file, t.line, 0, "a table of machines needs the columns series_id,cores and may have memory_mb")
	}
	all := map[string]Machine{}
	err = t.each(func() (*Fault, error) {
		n, fault := t.whole(cores, 0, 0, MaxCores) // 0: inventories have gaps
		if fault != nil {
			return fault, nil
		}
		mb, fault := t.optional(megs, 0, 1, maxMegs)
		if fault != nil {
			return fault, nil
		}
		kb, fault := t.optional(kilos, 0, 1, maxMegs<<10)
		if fault != nil {
			return fault, nil
		}
		all[t.text(id)] = Machine{uint32(n), max(int64(mb)<<20, int64(kb)<<10)}
		if len(all) > maxHosts {
			return nil, fileError(file, t.line, 0, "there are more than %d machines: leave some out", maxHosts)
		}
		return nil, nil
	})
	if err != nil {
		return nil, err
	}
	return all, t.verdict(file, skipBad)
}
