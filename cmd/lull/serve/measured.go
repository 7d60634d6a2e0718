package serve

import (
	"github.com/prometheus/client_golang/prometheus"

	"lull/actors"
	"lull/admission"
)

// gauged is an admission whose margin is a metric. The actor itself is pure:
// its shell's loop, which alone may read it, hands the figure over.
type gauged struct {
	*admission.Actor
	margin prometheus.Gauge
}

func measured(a *admission.Actor, s Shared) *gauged {
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

// Step passes the input on and notes the margin.
func (g *gauged) Step(in actors.Input) actors.Output {
	out := g.Actor.Step(in)
	g.margin.Set(g.Margin())
	return out
}
