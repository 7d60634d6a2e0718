package spreading

import (
	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/spread"
)

// show opens the note in which the process counts, and registers its metrics if there is a
// registerer.
func (s *Keeper) show(registerer prometheus.Registerer, host string) (err error) {
	if s.tally, err = spread.OpenTally(s.note); err != nil || registerer == nil {
		return err
	}
	for _, m := range []struct {
		name, help string
		value      func(spread.Tally) uint64
	}{
		{"moves_total", "Threads of the primary that waited behind each other, and were moved to where batch work ran.", func(t spread.Tally) uint64 { return t.Moved }},
		{"left_total", "Threads that were to be moved, but had ended or are bound to some CPUs.", func(t spread.Tally) uint64 { return t.Left }},
		{"failures_total", "Threads that the kernel refused to move for the agent.", func(t spread.Tally) uint64 { return t.Failed }},
	} {
		err := registerer.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "lull", Subsystem: "spread", Name: m.name, Help: m.help, ConstLabels: prometheus.Labels{"host": host},
		}, func() float64 { return float64(m.value(s.tally.Tally())) }))
		if err != nil {
			return err
		}
	}
	return nil
}
