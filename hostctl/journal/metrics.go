package journal

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics say whether a host's history reaches the pool.
type metrics struct {
	sent             prometheus.Gauge
	dropped, refused prometheus.Counter
}

func newMetrics(host string, begun time.Time) *metrics {
	opts := func(name, help string) prometheus.Opts {
		return prometheus.Opts{Namespace: "lull", Subsystem: "history", Name: name, Help: help, ConstLabels: prometheus.Labels{"host": host}}
	}
	m := &metrics{
		sent: prometheus.NewGauge(prometheus.GaugeOpts(opts("sent_seconds",
			"When the pool had all samples of the host's primary last, as Unix time; before that, when the agent started."))),
		dropped: prometheus.NewCounter(prometheus.CounterOpts(opts("dropped_total",
			"Samples of the primary that were lost because the disk took none for more than a day."))),
		refused: prometheus.NewCounter(prometheus.CounterOpts(opts("refused_total",
			"Blocks of samples that the pool did not take. They are sent again."))),
	}
	m.sent.Set(float64(begun.Unix()))
	return m
}

// Register makes the keeper's metrics known. A nil registerer is passed over.
func (k *Keeper) Register(r prometheus.Registerer) error {
	if r == nil {
		return nil
	}
	return errors.Join(r.Register(k.met.sent), r.Register(k.met.dropped), r.Register(k.met.refused))
}
