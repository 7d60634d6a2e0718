package hostctl

import "errors"

// Usage returns the CPU seconds and the bytes of memory of all that lull runs
// on this host, for its monitor.
func (a *Agent) Usage() (cpuSeconds float64, memory int64, err error) {
	if a.slots == nil {
		return 0, 0, nil
	}
	return a.slots.Tree.Usage()
}

// Healthy returns what keeps the agent from its work, nil when nothing does.
func (a *Agent) Healthy() error {
	shell := a.current.get()
	if shell == nil {
		return errors.New("agent: not started")
	}
	return shell.Healthy()
}
