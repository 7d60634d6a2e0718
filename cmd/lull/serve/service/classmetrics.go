package service

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"lull/classifier"
	"lull/classifier/archive"
	"lull/subjects/profile"
)

// classMetrics are the metrics of a classifier that leads.
type classMetrics struct {
	at      prometheus.Gauge
	bytes   prometheus.Gauge
	hosts   prometheus.Gauge
	tenants *prometheus.GaugeVec
	skipped *prometheus.CounterVec
}

func newClassMetrics(r prometheus.Registerer) (*classMetrics, error) {
	name := func(n, help string) prometheus.Opts {
		return prometheus.Opts{Namespace: "lull", Subsystem: "classifier", Name: n, Help: help}
	}
	m := &classMetrics{
		at:      prometheus.NewGauge(prometheus.GaugeOpts(name("generation_seconds", "When tenants were classified last, as Unix time. 0: this instance has not done it."))),
		bytes:   prometheus.NewGauge(prometheus.GaugeOpts(name("history_bytes", "Bytes of history that the classifier keeps."))),
		hosts:   prometheus.NewGauge(prometheus.GaugeOpts(name("history_hosts", "Hosts of which there is history."))),
		tenants: prometheus.NewGaugeVec(prometheus.GaugeOpts(name("tenants", "Tenants by pattern.")), []string{"pattern"}),
		skipped: prometheus.NewCounterVec(prometheus.CounterOpts(name("history_skipped_total", "Blocks of history that could not be read.")), []string{"why"}),
	}
	var errs []error
	for _, c := range []prometheus.Collector{m.at, m.bytes, m.hosts, m.tenants, m.skipped} {
		errs = append(errs, r.Register(c))
	}
	return m, errors.Join(errs...)
}

func (m *classMetrics) learned(kept *archive.Archive, r *classifier.Learned) {
	m.bytes.Set(float64(kept.Bytes()))
	m.hosts.Set(float64(kept.Hosts()))
	if !r.Request.Dry {
		m.at.Set(float64(r.At.Unix()))
	}
	of := map[profile.Pattern]int{}
	for i := range r.Found.Tenants {
		of[r.Found.Tenants[i].Profile.Pattern]++
	}
	for _, p := range profile.Patterns() {
		m.tenants.WithLabelValues(p.String()).Set(float64(of[p]))
	}
}
