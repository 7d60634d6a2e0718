package guarding

import (
	"lull/hostctl/guard"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

func TestGuardMetrics(t *testing.T) {
	r := prometheus.NewRegistry()
	m, err := newMetrics(r, "h")
	if err != nil {
		t.Fatal(err)
	}
	m.show(guard.Orders{Cores: 3, Frozen: true, Evict: true}, true, 1500*time.Millisecond)
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]float64{}
	for _, f := range families {
		shown[f.GetName()] = f.GetMetric()[0].GetGauge().GetValue() + f.GetMetric()[0].GetCounter().GetValue()
	}
	if len(shown) != 8 || shown["lull_guard_longest_gap_seconds"] != 1.5 || shown["lull_guard_cores"] != 3 || shown["lull_guard_evictions_asked_total"] != 1 {
		t.Errorf("metrics = %v, want eight with a gap of 1.5 s, 3 cores and 1 eviction", shown)
	}
}
