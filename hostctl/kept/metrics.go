package kept

import "github.com/prometheus/client_golang/prometheus"

// register makes the count of outputs that vanished, and registers it if there is a registerer.
func (k *Keeper) register() error {
	k.vanished = prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: "lull", Subsystem: "store", Name: "vanished_total", ConstLabels: prometheus.Labels{"host": k.cfg.Host},
		Help: "Outputs that a stage still read and that were not on the host's disk any more, or were set aside because they were damaged, by each look that found one missing.",
	})
	if k.cfg.Registerer == nil {
		return nil
	}
	return k.cfg.Registerer.Register(k.vanished)
}
