package monitor

import (
	"github.com/prometheus/client_golang/prometheus"

	"lull/subjects"
)

// metrics show the last sample, and errors and hangs of its sources.
type metrics struct {
	gauges []gauge
	stuck  *prometheus.CounterVec
	errors *prometheus.CounterVec
}

// gauge is one field of a sample.
type gauge struct {
	prometheus.Gauge
	value func(*subjects.Usage) float64
}

// newMetrics makes the metrics and registers them, unless registerer is nil. The
// label host keeps two monitors in one process apart.
func newMetrics(registerer prometheus.Registerer, host string) (*metrics, error) {
	m := &metrics{
		gauges: gauges(host),
		stuck: counter(host, "stuck_total",
			"Samples that went out while a source's reading hung."),
		errors: counter(host, "errors_total", "Readings that failed."),
	}
	if registerer == nil {
		return m, nil
	}
	collectors := []prometheus.Collector{m.stuck, m.errors}
	for _, g := range m.gauges {
		collectors = append(collectors, g)
	}
	for _, c := range collectors {
		if err := registerer.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *metrics) show(u *subjects.Usage) {
	for _, g := range m.gauges {
		g.Set(g.value(u))
	}
}

func counter(host, name, help string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "lull", Subsystem: "monitor", Name: name, Help: help,
		ConstLabels: prometheus.Labels{"host": host},
	}, []string{"source"})
}

func gauges(host string) []gauge {
	field := func(name, help string, value func(*subjects.Usage) float64) gauge {
		return gauge{prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: "lull", Subsystem: "host", Name: name, Help: help,
			ConstLabels: prometheus.Labels{"host": host},
		}), value}
	}
	return []gauge{
		field("cores", "Online CPUs.", func(u *subjects.Usage) float64 { return float64(u.Cores) }),
		field("primary_cores", "CPU used by all that is not lull's.", func(u *subjects.Usage) float64 { return u.Primary }),
		field("batch_cores", "CPU used by lull's tasks.", func(u *subjects.Usage) float64 { return u.Batch }),
		field("idle_cores", "Cores less primary CPU, over ten seconds.", func(u *subjects.Usage) float64 { return u.Idle }),
		field("memory_bytes", "RAM.", func(u *subjects.Usage) float64 { return float64(u.Memory) }),
		field("memory_free_bytes", "RAM that is available.", func(u *subjects.Usage) float64 { return float64(u.MemoryFree) }),
		field("memory_batch_bytes", "RAM used by lull's tasks.", func(u *subjects.Usage) float64 { return float64(u.MemoryBatch) }),
		field("disk_read_bytes_per_second", "Read from disks.", func(u *subjects.Usage) float64 { return u.DiskRead }),
		field("disk_write_bytes_per_second", "Written to disks.", func(u *subjects.Usage) float64 { return u.DiskWrite }),
		field("net_in_bytes_per_second", "Received.", func(u *subjects.Usage) float64 { return u.NetIn }),
		field("net_out_bytes_per_second", "Sent.", func(u *subjects.Usage) float64 { return u.NetOut }),
		field("cpu_pressure", "Share of time in which a task waited for CPU.", func(u *subjects.Usage) float64 { return u.CPUPressure }),
		field("memory_pressure", "Share of time in which a task waited for memory.", func(u *subjects.Usage) float64 { return u.MemPressure }),
		field("io_pressure", "Share of time in which a task waited for a disk.", func(u *subjects.Usage) float64 { return u.IOPressure }),
		field("primary_runnable_threads", "The primary's threads that waited for a CPU, on average.", func(u *subjects.Usage) float64 { return u.Runnable }),
		field("primary_blocked_threads", "The primary's threads that slept for a disk, on average.", func(u *subjects.Usage) float64 { return u.Blocked }),
		field("primary_delay_ratio", "Seconds that the primary's threads waited because batch work ran, per CPU second, over ten seconds.", func(u *subjects.Usage) float64 { return u.Delay }),
		field("primary_delay_budget_ratio", "What primary_delay_ratio may be.", func(u *subjects.Usage) float64 { return u.Budget }),
		field("batch_cap_cores", "Cores that the guard allows batch work to use.", func(u *subjects.Usage) float64 { return u.Cap }),
		field("disk_free_bytes", "Free where lull keeps outputs.", func(u *subjects.Usage) float64 { return float64(u.DiskFree) }),
		field("sample_age_seconds", "Age of the oldest reading in the last sample.", func(u *subjects.Usage) float64 { return u.Age }),
	}
}
