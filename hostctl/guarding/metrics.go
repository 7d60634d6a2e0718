package guarding

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/guard"
)

// metrics show what the guard does.
type metrics struct {
	cores, frozen, memory, disk, raised, gap prometheus.Gauge
	evictions, foreign                       prometheus.Counter
}

// newMetrics returns the metrics, registered unless registerer is nil.
func newMetrics(registerer prometheus.Registerer, host string) (*metrics, error) {
	labels := prometheus.Labels{"host": host}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "lull", Subsystem: "guard", Name: name, Help: help, ConstLabels: labels})
	}
	m := &metrics{
		cores:  gauge("cores", "Cores that batch work may use."),
		frozen: gauge("frozen", "1 while all tasks are stopped for the primary's sake."),
		memory: gauge("memory_high_bytes", "Memory above which batch work gives page cache back, 0 for no bound."),
		disk:   gauge("disk_bytes_per_second", "Bound of batch work's disk rate, 0 for none."),
		raised: gauge("raised", "1 while batch work is raised out of the idle class, because it starved."),
		gap:    gauge("longest_gap_seconds", "Longest time in which batch work wanted a CPU and had none."),
		evictions: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "lull", Subsystem: "guard", Name: "evictions_asked_total",
			Help: "Evictions that the guard asked for.", ConstLabels: labels,
		}),
		foreign: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "lull", Subsystem: "cgroup", Name: "foreign_writes_total",
			Help: "Values of lull's cgroups that another program changed.", ConstLabels: labels,
		}),
	}
	if registerer == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.cores, m.frozen, m.memory, m.disk, m.raised, m.gap, m.evictions, m.foreign} {
		if err := registerer.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *metrics) show(o guard.Orders, raised bool, gap time.Duration) {
	m.cores.Set(float64(o.Cores))
	m.frozen.Set(one(o.Frozen))
	m.memory.Set(float64(o.MemoryHigh))
	m.disk.Set(float64(o.DiskRate))
	m.raised.Set(one(raised))
	m.gap.Set(gap.Seconds())
	if o.Evict {
		m.evictions.Inc()
	}
}

func one(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
