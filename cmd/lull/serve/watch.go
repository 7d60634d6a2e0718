package serve

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"lull/hostctl/spread"
	"lull/monitor/waits"
)

// spreadFlag says whether the primary's waiting threads are moved.
func spreadFlag(f *pflag.FlagSet, h *HostConfig) {
	f.StringVar(&h.Spread, "spread", "auto", "move threads of the primary that wait behind each other to cores where batch work\n"+
		"runs: auto (as root, beside the idle class), on or off")
}

// watch is a spread.Watch that is closed when the agent has left. Its Watch is
// nil where nobody sees single CPUs.
type watch struct {
	spread.Watch
	close func() error
}

// watch looks at single CPUs in the best way there is: by the sensor, or else by
// the files of the primary's threads, if the primary is named.
func (s *sensor) watch(primary []string) watch {
	none := watch{close: func() error { return nil }}
	if s.from != nil {
		if cores, err := s.from.Cores(); err == nil {
			return watch{&coreWatch{cores: cores}, cores.Close}
		}
	}
	if len(primary) == 0 {
		return none
	}
	tasks, err := spread.NewTasks(primary...)
	if err != nil {
		return none // openSensor has said what is wrong with them
	}
	return watch{tasks, tasks.Close}
}

// closed ends the looking, and joins what went wrong to err.
func (w watch) closed(err error) error { return errors.Join(err, w.close()) }

// coreWatch is the sensor's sight of single CPUs as the host's controller wants
// it.
type coreWatch struct {
	cores *waits.Cores
	seen  []waits.Core // reused
}

func (w *coreWatch) Look(to []spread.CPU) (_ []spread.CPU, err error) {
	if w.seen, err = w.cores.Look(w.seen[:0]); err != nil {
		return to, err
	}
	for i := range w.seen {
		to = append(to, cpuOf(&w.seen[i]))
	}
	return to, nil
}

func cpuOf(seen *waits.Core) (c spread.CPU) {
	switch {
	case seen.Primary:
		c.Runs = spread.Primary
	case seen.Batch:
		c.Runs = spread.Batch
	}
	for _, w := range seen.Threads[:seen.Waiting] {
		c.Add(spread.Waiter(w))
	}
	return c
}

// Every millisecond: a server's p99 at 60 % load was 1.07 times what it was alone
// with looks each millisecond, 1.28 with half as many, 1.10 with twice as many.
func (w *coreWatch) Every() time.Duration { return time.Millisecond }

// Name of the watch.
func (w *coreWatch) Name() string { return "eBPF" }
