package hostctl

import "github.com/prometheus/client_golang/prometheus"

// spreadCounters show what came of moving threads.
type spreadCounters struct{ moves, left, failures prometheus.Counter }

// newSpreadCounters registers the metrics, if there is somebody to register with.
func newSpreadCounters(registerer prometheus.Registerer, host string) (*spreadCounters, error) {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "lull", Subsystem: "spread", Name: name, Help: help, ConstLabels: prometheus.Labels{"host": host},
		})
	}
	m := &spreadCounters{
		moves:    counter("moves_total", "Threads of the primary that waited behind each other, and were moved to where batch work ran."),
		left:     counter("left_total", "Threads that were to be moved, but had ended or are bound to some CPUs."),
		failures: counter("failures_total", "Threads that the kernel did not let the agent move."),
	}
	if registerer == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.moves, m.left, m.failures} {
		if err := registerer.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}
