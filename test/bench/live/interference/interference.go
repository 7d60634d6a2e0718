// Package interference measures what batch work does to a primary, by the way it is kept in
// the background.
package interference

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"lull/test/bench/live/stage"
	"lull/test/report"
	"lull/test/tables"
)

// interfering is the benchmark of the host side. It measures what a latency-critical server's users
// notice of batch work beside it, and how much of the idle CPU that work gets, by the way it is
// kept in the background.
type interfering struct {
	loads, batch, ways list
	lull               words // flags of the way lull
	rounds             int
	tries              int // of a measurement that others disturb, before it is kept
	seconds            float64
	seed               uint64
	primary            string
	html               string
	step, sweep        bool
}

var interference interfering

// Table is the benchmark.
var Table = tables.Table{Name: "interference", What: "what a server's users notice of batch work beside it (MIMP, Figure 5 and Table 1)", Flags: interference.flags, Run: interference.run}

func (f *interfering) flags(set *flag.FlagSet) {
	f.tries = 4
	f.loads, f.batch, f.ways = list{"30", "60", "85"}, list{"pi"}, stage.Ways()
	set.Var(&f.loads, "loads", "shares of the machine's CPU that the primary uses alone, %, with commas")
	set.Var(&f.batch, "batch", "batch work: pi, memory, words, fork")
	set.Var(&f.ways, "ways", "ways to run it")
	set.Var(&f.lull, "lull", "flags of `lull up` in the way lull, with spaces between: \"--spread off --guard-budget 0\"")
	set.IntVar(&f.rounds, "rounds", 4, "measurements of each way at each load")
	set.Float64Var(&f.seconds, "seconds", 6, "length of a measurement")
	set.Uint64Var(&f.seed, "seed", 1, "of arrivals and of the order of the ways")
	set.StringVar(&f.primary, "primary", "go", "the primary's server: go, or with a thread a core: workers, pinned")
	set.StringVar(&f.html, "html", "", "write the plot of tail against harvest to this file")
	set.BoolVar(&f.step, "step", false, "instead: the primary's load jumps from 10 to 95 %")
	set.BoolVar(&f.sweep, "sweep", false, "instead: more and more users, as in MIMP's Figure 5")
}

// useQuickSettings makes it a run that only shows that it works.
func (f *interfering) useQuickSettings() { f.rounds, f.seconds, f.tries = 1, 0.8, 1 }

func (f *interfering) run(ctx context.Context, quick bool) (result *report.Report, err error) {
	if quick {
		f.useQuickSettings()
	}
	loads, err := f.check()
	if err != nil {
		return nil, err
	}
	opened, err := stage.Open(ctx, stage.Config{Primary: f.primary, Lull: slices.Contains(f.ways, stage.Lulled), Flags: f.lull})
	if err != nil {
		return nil, err
	}
	s := gauge{opened}
	defer func() { err = errors.Join(err, s.Close()) }()
	switch {
	case f.step:
		return s.steps(ctx, stepWays(f.ways), quick)
	case f.sweep:
		return s.sweep(ctx, quick)
	}
	return f.compare(ctx, s, loads)
}

// compare is the main table.
func (f *interfering) compare(ctx context.Context, s gauge, loads []float64) (*report.Report, error) {
	t := &trial{gauge: s, f: f, begin: time.Now()}
	if err := t.calibrate(ctx, loads); err != nil {
		return nil, err
	}
	for n := range f.rounds {
		if err := t.round(ctx, n); err != nil {
			return nil, err
		}
	}
	result := t.table()
	if f.html == "" {
		return result, nil
	}
	if err := os.WriteFile(f.html, []byte(t.page()), 0o644); err != nil {
		// What was measured for minutes is not lost with a file.
		return nil, errors.Join(fmt.Errorf("--html: %w", err), result.Write(os.Stderr, "table"))
	}
	return result, nil
}

// cores is what the shares are of.
func cores() float64 { return float64(runtime.NumCPU()) }
