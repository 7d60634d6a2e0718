package service

import (
	"github.com/prometheus/client_golang/prometheus"

	"lull/actors"
	"lull/admission"
)

// gauged is admission with its margin as a metric. The actor is pure, and only its shell's
// loop may read it, so the metric is set in Step.
type gauged struct {
	*admission.Actor
	margin prometheus.Gauge
}

func withMargin(a *admission.Actor, s Shared) *gauged {
	g := &gauged{a, prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: "lull", Subsystem: "admission", Name: "margin",
		Help:        "Share that admission adds to every prediction, because earlier ones proved optimistic.",
		ConstLabels: prometheus.Labels{"pool": string(s.Pool)},
	})}
	if s.Registry != nil {
		s.Registry.MustRegister(g.margin)
	}
	return g
}

// Step runs the actor's step and sets the metric.
func (g *gauged) Step(in actors.Input) actors.Output {
	out := g.Actor.Step(in)
	g.margin.Set(g.Margin())
	return out
}
