package service

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"

	"lull/cmd/lull/serve/heap"
)

// KeepHeapSmall makes the collector run earlier in a process that mostly waits. The heap of an
// idle agent is a few megabytes, and by default it would double before a collection.
func KeepHeapSmall() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// Hold keeps the process, which holds a pool's state, within a memory limit, and adds
// metrics of it.
func (s *Shared) Hold(limit uint64) {
	s.Memory = heap.Limit(limit)
	if s.Registry == nil {
		return
	}
	gauge := func(name, help string, value func() float64) {
		s.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "lull", Subsystem: "memory", Name: name, Help: help}, value))
	}
	gauge("live_bytes", "Memory in use at the last garbage collection.", func() float64 { return float64(s.Memory.Read().Live) })
	gauge("limit_bytes", "Memory that the process may take. New jobs wait in the inbox while half of it is in use.", func() float64 { return float64(s.Memory.Read().Limit) })
	gauge("collector_share", "Share of the process's recent CPU time that the garbage collector took.", func() float64 { return s.Memory.Read().Collector })
	gauge("full", "1 while new jobs would wait in the inbox because of memory.", func() float64 {
		if s.Memory.Read().Full {
			return 1
		}
		return 0
	})
}

// HoldDefault is Hold with a quarter of the machine's memory.
func (s *Shared) HoldDefault() error {
	limit, _, err := heap.Default("/")
	if err != nil {
		return fmt.Errorf("find out how much memory there is: %w", err)
	}
	s.Hold(limit)
	return nil
}
