package hostctl

import "errors"

// Usage returns the CPU seconds and the bytes of memory of all that lull runs on this host, for
// its monitor. Where no cgroup accounts for CPU time, the seconds are those of this agent's shims
// and their processes since it began.
func (a *Agent) Usage() (cpuSeconds float64, memory int64, err error) {
	if a.slots == nil {
		return 0, 0, nil
	}
	cpuSeconds, memory, err = a.slots.Tree.Usage()
	if a.trees != nil {
		cpuSeconds = a.trees.CPU()
	}
	return cpuSeconds, memory, err
}

// Healthy returns what keeps the agent from its work, nil when nothing does.
func (a *Agent) Healthy() error {
	shell := a.current.get()
	if shell == nil {
		return errors.New("agent: not started")
	}
	return shell.Healthy()
}
