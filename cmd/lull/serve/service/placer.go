package service

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/actors"
	"lull/actors/shell"
	"lull/admission"
	"lull/placer"
	"lull/placer/choice"
	"lull/slotter"
)

// NewPlacer makes the service that chooses hosts for jobs whose stages exchange data.
func NewPlacer(bus actors.Bus, s Shared, cfg placer.Config) (Service, error) {
	met, err := newPlaceMetrics(s.Registry)
	if err != nil {
		return Service{}, err
	}
	p := &searcher{met: met, actions: make(chan actors.Action, 1)}
	role := placer.Role(s.Pool, slotter.Role(s.Pool), admission.Role(s.Pool))
	return newDecider(shell.Config{Role: role, Actor: placer.New(cfg), Perform: p.perform}, bus, s, p.run)
}

// searcher makes the placer's choices beside its loop.
type searcher struct {
	met     *placeMetrics
	actions chan actors.Action // the latest that has not begun
}

// perform queues an action, in place of one that has not begun. That one is an earlier term's,
// because the actor waits for a report before its next action. The shell's loop is the only caller,
// so there is always room.
func (p *searcher) perform(action actors.Action) {
	select {
	case <-p.actions:
	default:
	}
	p.actions <- action
}

// run makes the choices until the context ends.
func (p *searcher) run(ctx context.Context, actor *shell.Shell) {
	for {
		select {
		case action := <-p.actions:
			search, ok := action.(placer.Search)
			if !ok {
				continue
			}
			began := time.Now()
			report := placer.Perform(search, sideBySide)
			p.met.searched(&report, time.Since(began))
			if ctx.Err() == nil {
				actor.Report(report)
			}
		case <-ctx.Done():
			return
		}
	}
}

// sideBySide runs f for 0 to n−1 on all cores.
func sideBySide(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// placeMetrics are the metrics of a placer that leads.
type placeMetrics struct {
	searches *prometheus.CounterVec
	seconds  prometheus.Histogram
	gap      prometheus.Gauge
	left     prometheus.Gauge
	unfit    prometheus.Gauge
}

func newPlaceMetrics(r prometheus.Registerer) (*placeMetrics, error) {
	name := func(n, help string) prometheus.Opts {
		return prometheus.Opts{Namespace: "lull", Subsystem: "placer", Name: n, Help: help}
	}
	m := &placeMetrics{
		searches: prometheus.NewCounterVec(prometheus.CounterOpts(name("searches_total", "Searches for hosts, by what came of them: found, none or error.")), []string{"outcome"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "lull", Subsystem: "placer", Name: "search_seconds", Help: "How long a search took.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 14),
		}),
		gap:   prometheus.NewGauge(prometheus.GaugeOpts(name("gap_ratio", "Predicted time of the last choice over its lower bound, less 1."))),
		left:  prometheus.NewGauge(prometheus.GaugeOpts(name("left_out_hosts", "Hosts that the last search left out: without a rack of the topology, or without fresh usage."))),
		unfit: prometheus.NewGauge(prometheus.GaugeOpts(name("unfit_types", "Types of jobs that are placed no more, because predictions for them were more than 30 % off."))),
	}
	var errs []error
	for _, c := range []prometheus.Collector{m.searches, m.seconds, m.gap, m.left, m.unfit} {
		errs = append(errs, r.Register(c))
	}
	return m, errors.Join(errs...)
}

func (m *placeMetrics) searched(r *placer.Searched, took time.Duration) {
	m.seconds.Observe(took.Seconds())
	m.unfit.Set(float64(r.Unfit))
	m.left.Set(float64(r.LeftOut()))
	outcome := "found"
	switch {
	case r.Err != nil:
		outcome = "error"
	case len(r.Answer.Hosts) == 0 || math.IsInf(r.Answer.Result.Seconds, 0):
		outcome = "none"
	case r.Answer.Bound > 0:
		m.gap.Set(r.Answer.Result.Seconds/r.Answer.Bound - 1)
	}
	m.searches.WithLabelValues(outcome).Inc()
}

var _ choice.Runner = sideBySide
