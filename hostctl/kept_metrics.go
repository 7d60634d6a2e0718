package hostctl

import "github.com/prometheus/client_golang/prometheus"

// countVanished registers the count of outputs that vanished, if there is a registerer.
func (a *Agent) countVanished() error {
	a.vanished = prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: "lull", Subsystem: "store", Name: "vanished_total", ConstLabels: prometheus.Labels{"host": a.cfg.Host},
		Help: "Outputs that a stage still read and that were not on the host's disk any more, or were set aside because they were damaged, by each look that found one missing.",
	})
	if a.cfg.Registerer == nil {
		return nil
	}
	return a.cfg.Registerer.Register(a.vanished)
}
