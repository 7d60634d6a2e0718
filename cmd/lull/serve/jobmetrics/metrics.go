package jobmetrics

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"lull/subjects"
	"lull/subjects/ledger"
)

type metrics struct {
	jobs      *prometheus.GaugeVec // jobs that have not ended, by state
	jobsEnded *prometheus.CounterVec
	deadlines *prometheus.CounterVec
	ratio     prometheus.Histogram

	attempts   prometheus.Gauge
	tasksEnded *prometheus.CounterVec

	queueJobs  *prometheus.GaugeVec
	queueSlots *prometheus.GaugeVec
}

func newMetrics(pool subjects.Pool) *metrics {
	labels := prometheus.Labels{"pool": string(pool)}
	gauge := func(name, help string) prometheus.GaugeOpts {
		return prometheus.GaugeOpts{Namespace: "lull", Name: name, Help: help, ConstLabels: labels}
	}
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "lull", Name: name, Help: help, ConstLabels: labels}
	}
	m := &metrics{
		jobs:      prometheus.NewGaugeVec(gauge("jobs", "Jobs that have not ended, by state."), []string{"state"}),
		jobsEnded: prometheus.NewCounterVec(counter("jobs_ended_total", "Jobs that ended while this instance led, by state."), []string{"state"}),
		deadlines: prometheus.NewCounterVec(counter("deadlines_total",
			"Admitted jobs with a deadline that finished or failed while this instance led: met, missed, or late where the deadline was only a wish."),
			[]string{"outcome"}),
		ratio: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "lull", Name: "prediction_ratio", ConstLabels: labels,
			Help:    "Time from admission to the last predicted end, over the time to the true end, of jobs that finished while this instance led.",
			Buckets: []float64{0.25, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 4},
		}),
		attempts:   prometheus.NewGauge(gauge("attempts", "Attempts of tasks that occupy slots, or places ahead of them.")),
		tasksEnded: prometheus.NewCounterVec(counter("attempts_ended_total", "Attempts that their hosts reported as ended while this instance led, by outcome."), []string{"outcome"}),
		queueJobs:  prometheus.NewGaugeVec(gauge("queue_jobs", "Jobs of a queue that have not ended; small queues beyond a hundred together, without a name."), []string{"queue"}),
		queueSlots: prometheus.NewGaugeVec(gauge("queue_slots", "Slots that tasks of a queue occupy."), []string{"queue"}),
	}
	m.expect()
	return m
}

// expect makes all series of the counters exist from the start, at 0. PromQL's rate() would miss the first
// increment of a counter that appears only with it.
func (m *metrics) expect() {
	for _, p := range []ledger.Phase{ledger.Finished, ledger.Failed, ledger.Cancelled, ledger.Rejected} {
		m.jobsEnded.WithLabelValues(p.String())
	}
	for _, outcome := range []string{met, missed, late} {
		m.deadlines.WithLabelValues(outcome)
	}
	for _, outcome := range []string{finished, failed, evicted, declined} {
		m.tasksEnded.WithLabelValues(outcome)
	}
}

// register adds the metrics to a registry. It does nothing if the registry is nil.
func (m *metrics) register(to prometheus.Registerer) error {
	if to == nil {
		return nil
	}
	var failures []error
	for _, c := range []prometheus.Collector{
		m.jobs, m.jobsEnded, m.deadlines, m.ratio, m.attempts, m.tasksEnded, m.queueJobs, m.queueSlots,
	} {
		failures = append(failures, to.Register(c))
	}
	return errors.Join(failures...)
}
