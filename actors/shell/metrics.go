package shell

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/actors"
)

// metrics of one shell. Names are the same for all shells; actor, partition
// and pool tell them apart.
type metrics struct {
	entries, terms, dropped, events prometheus.Counter
	unkept, foreign                 prometheus.Counter
	refused, quarantined            *prometheus.CounterVec
	leading, lag                    prometheus.Gauge
	batch, appendTime, echo         prometheus.Histogram
}

func newMetrics(cfg *Config) *metrics {
	labels := prometheus.Labels{"actor": cfg.Name, "partition": cfg.Partition, "pool": string(cfg.Bus.Pool())}
	options := maker{labels}
	m := &metrics{
		entries:     prometheus.NewCounter(options.counter("entries_total", "Entries of the log folded.")),
		events:      prometheus.NewCounter(options.counter("decisions_total", "Events decided and appended.")),
		terms:       prometheus.NewCounter(options.counter("terms_total", "Changes of the partition's term seen.")),
		dropped:     prometheus.NewCounter(options.counter("dropped_total", "Core messages dropped because the loop was busy.")),
		refused:     prometheus.NewCounterVec(options.counter("refused_total", "Batches that were not appended, by reason."), []string{"reason"}),
		quarantined: prometheus.NewCounterVec(options.counter("quarantined_total", "Messages that were passed over, by where they came from."), []string{"where"}),
		unkept:      prometheus.NewCounter(options.counter("quarantine_skipped_total", "Messages passed over that quarantine did not keep: they came too fast, or the bus failed.")),
		foreign:     prometheus.NewCounter(options.counter("foreign_total", "Messages of the log that were not published on its subjects, and passed over.")),
		leading:     prometheus.NewGauge(prometheus.GaugeOpts(options.counter("leading", "1 while this instance is the partition's writer."))),
		lag:         prometheus.NewGauge(prometheus.GaugeOpts(options.counter("lag_entries", "Entries behind the one folded last."))),
		batch:       prometheus.NewHistogram(options.histogram("batch_events", "Events in one batch.")),
		appendTime:  prometheus.NewHistogram(options.histogram("append_seconds", "From sending a batch to its acknowledgement.")),
		echo:        prometheus.NewHistogram(options.histogram("echo_seconds", "From sending a batch to folding it.")),
	}
	if cfg.Registerer != nil {
		cfg.Registerer.MustRegister(m.entries, m.events, m.terms, m.dropped, m.refused, m.quarantined, m.unkept, m.foreign, m.leading, m.lag, m.batch, m.appendTime, m.echo)
	}
	return m
}

type maker struct{ labels prometheus.Labels }

func (m maker) counter(name, help string) prometheus.CounterOpts {
	return prometheus.CounterOpts{Namespace: "lull", Subsystem: "shell", Name: name, Help: help, ConstLabels: m.labels}
}

// histogram makes a native histogram: buckets 10 % apart, created as needed.
func (m maker) histogram(name, help string) prometheus.HistogramOpts {
	return prometheus.HistogramOpts{
		Namespace: "lull", Subsystem: "shell", Name: name, Help: help, ConstLabels: m.labels,
		NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 100, NativeHistogramMinResetDuration: time.Hour,
	}
}

func (m *metrics) folded(pending uint64) {
	m.entries.Inc()
	m.lag.Set(float64(pending))
}

func (m *metrics) appended(events int, took time.Duration, err error) {
	switch {
	case err == nil:
		m.events.Add(float64(events))
		m.batch.Observe(float64(events))
		m.appendTime.Observe(took.Seconds())
	case errors.Is(err, actors.ErrFenced):
		m.refused.WithLabelValues("fenced").Inc()
	case errors.Is(err, actors.ErrFull):
		m.refused.WithLabelValues("full").Inc()
	case errors.Is(err, actors.ErrBusy):
		m.refused.WithLabelValues("busy").Inc()
	case errors.Is(err, actors.ErrBatches):
		m.refused.WithLabelValues("batches").Inc()
	case errors.Is(err, actors.ErrRefused):
		m.refused.WithLabelValues("refused").Inc()
	default:
		m.refused.WithLabelValues("unknown").Inc()
	}
}

func (m *metrics) echoed(after time.Duration)    { m.echo.Observe(after.Seconds()) }
func (m *metrics) countQuarantined(where string) { m.quarantined.WithLabelValues(where).Inc() }

func (m *metrics) leads(yes bool) {
	m.leading.Set(0)
	if yes {
		m.leading.Set(1)
	}
}
