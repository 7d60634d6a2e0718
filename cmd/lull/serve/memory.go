package serve

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/dustin/go-humanize"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/heap"
)

// small keeps a process that mostly waits small: the heap of an agent at rest
// is a few megabytes, and the default of letting it double would hand the rest
// to garbage.
func small() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// memory is the flag of services that hold the pool's state.
type memory struct{ text string }

func (m *memory) flag(f *pflag.FlagSet) {
	f.StringVar(&m.text, "memory", "", "memory that this process may take, such as 4GB (a quarter of the machine's or cgroup's)")
}

// bytes is the flag's value, or the default.
func (m *memory) bytes() (uint64, error) {
	if m.text == "" {
		limit, _, err := heap.Default("/")
		return limit, err
	}
	limit, err := humanize.ParseBytes(m.text)
	if err != nil || limit < heap.Least || limit > 1<<60 {
		return 0, exit.With(exit.Usage, fmt.Errorf("--memory %q: use a size such as 4GB, at least %s", m.text, humanize.IBytes(heap.Least)))
	}
	return limit, nil
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

// Memory of a pool's state in a process that holds it, in bytes, measured by
// go run ./test/bench queue.
const (
	baseMemory = 48 << 20 // idle, with the embedded server
	jobMemory  = 1600     // of an open job, in admission and slotter together
	taskMemory = 64       // of a task of a job that has begun, in both
)

// memoryFor reports how many jobs may be open within a limit.
func memoryFor(limit, machine uint64) Check {
	room := (limit/2 - min(baseMemory, limit/2)) / jobMemory
	return Check{"memory", true, fmt.Sprintf(
		"lull up, or one service, may take %s of %s (--memory): about %s open jobs (%s + %s a job + %d B a task that has begun, twice), then new ones wait in the inbox",
		humanize.IBytes(limit), humanize.IBytes(machine), humanize.Comma(int64(room)), humanize.IBytes(baseMemory), humanize.IBytes(jobMemory), taskMemory)}
}

func checkMemory() Check {
	limit, machine, err := heap.Default("/")
	if err != nil {
		return Check{"memory", false, "cannot find out how much memory there is: " + err.Error()}
	}
	return memoryFor(limit, machine)
}
