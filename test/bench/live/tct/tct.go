// Package tct measures completion times of real tasks, and what models learn from them.
package tct

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/tables"
)

// training is the benchmark of the completion-time models. Real tasks of eight types run through
// the whole pipeline in the background class, beside a primary with loads over its range. The
// models are fitted to what they took.
type training struct {
	plot, write string // files, "" for none
	seed        uint64
}

var models training

// Table is the benchmark.
var Table = tables.Table{Name: "tct", What: "completion-time models of real tasks beside a real load (MIMP, Table 2 and Figure 6)", Flags: models.flags, Run: models.run}

func (t *training) flags(f *flag.FlagSet) {
	f.StringVar(&t.plot, "plot", "", "write Figure 6 to this SVG file")
	f.StringVar(&t.write, "write", "", "write the measured curves, as the simulator reads them, to this JSON file")
	f.Uint64Var(&t.seed, "seed", 1, "of the levels, their fluctuation and the order of tasks")
}

// effort is how much is measured.
type effort struct {
	budget time.Duration // no round begins later than this
	strata int           // levels in a sweep over the primary's range, beside none
	each   int           // tasks of a type in a round; one where hardly any CPU is left
	scale  float64       // of the tasks' sizes
	settle time.Duration // at most, before a round
	round  time.Duration // after which its tasks starve, and the primary makes room
	room   time.Duration // after which that did not help either
}

var (
	fullEffort  = effort{budget: 10 * time.Minute, strata: 8, each: 2, scale: 1, settle: monitorWindow, round: 2 * time.Minute, room: 5 * time.Minute}
	quickEffort = effort{budget: 20 * time.Second, strata: 2, each: 4, scale: 0.2, settle: 2 * time.Second, round: 12 * time.Second, room: time.Minute}
)

// monitorWindow is the time over which a host's idle cores are averaged (package monitor). A level
// has to last as long before an assignment sees all of it.
const monitorWindow = 10 * time.Second

func (t *training) run(ctx context.Context, quick bool) (*report.Report, error) {
	n := fullEffort
	if quick {
		n = quickEffort
	}
	var found *campaign
	err := host.WithInstance(ctx, func(in *host.Instance, _, dir string) (err error) {
		found, err = t.campaign(ctx, in, dir, n)
		return err
	}, "--policy", "fifo") // each level's tasks run in the order drawn, whatever is learnt meanwhile
	if err != nil {
		return nil, err
	}
	curves := learn(found)
	result := table(found, curves)
	if err := t.files(curves); err != nil {
		// What was measured for minutes is not lost with a file.
		return nil, errors.Join(err, result.Write(os.Stderr, "table"))
	}
	return result, nil
}

// campaign prepares what the tasks need and runs the rounds.
func (t *training) campaign(ctx context.Context, in *host.Instance, dir string, n effort) (*campaign, error) {
	kinds, err := prepare(ctx, dir, n.scale)
	if err != nil {
		return nil, err
	}
	view, err := in.View(ctx)
	if err != nil {
		return nil, err
	}
	load, err := host.StartDriven(ctx, dir, t.seed)
	if err != nil {
		return nil, err
	}
	defer load.Stop()
	c := newCampaign(in, view, kinds, dir, rand.New(rand.NewPCG(t.seed, 1)))
	return c, c.rounds(ctx, load, n)
}

// files writes what was asked for.
func (t *training) files(curves []learnt) error {
	if t.plot != "" {
		if err := os.WriteFile(t.plot, []byte(figureSVG(curves)), 0o644); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	if t.write != "" {
		if err := writeTruths(t.write, curves); err != nil {
			return fmt.Errorf("--write: %w", err)
		}
	}
	return nil
}
