// Package agent measures what an agent costs.
package agent

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"lull/test/bench/live/pool"
	"lull/test/report"
	"lull/test/tables"
)

// costing measures what an agent costs: its own process, beside a server and deciders in processes
// of their own, with as many tasks as the bound is for.
type costing struct {
	rounds  int
	seconds float64
	tasks   int
	rate    float64
	binary  string
}

var costs costing

// Table is the benchmark.
var Table = tables.Table{Name: "agent", What: "what an agent costs at rest, with tasks, and beside a primary", Flags: costs.flags, Run: costs.run}

func (c *costing) flags(set *flag.FlagSet) {
	set.IntVar(&c.rounds, "rounds", 3, "measurements of each row")
	set.Float64Var(&c.seconds, "seconds", 15, "length of a measurement")
	set.IntVar(&c.tasks, "tasks", 16, "tasks that compute")
	set.Float64Var(&c.rate, "rate", 500, "requests a second of the primary, about 1 ms of CPU each")
	set.StringVar(&c.binary, "lull", "", "the lull to measure (built from this tree)")
}

// The rows. Each round measures them in this order.
const (
	resting   = "at rest"
	working   = "tasks"
	besides   = "tasks beside a primary"
	unspread  = "the same, --spread off"
	mostRest  = 0.5 // % of a core
	mostBusy  = 1.0 // % of a core
	mostBytes = 50e6
)

var costRows = []string{resting, working, besides, unspread}

func (c *costing) run(ctx context.Context, quick bool) (result *report.Report, err error) {
	if quick {
		c.rounds, c.seconds = 1, 2
	}
	if c.rounds < 1 || !(c.seconds > 0) || c.tasks < 1 { // NaN is not above 0
		return nil, errors.New("--rounds, --seconds and --tasks: measure once, for some time and with a task at least")
	}
	p, err := pool.Open(ctx, c.binary)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	found := map[string][]expense{}
	for n := range c.rounds {
		if err := c.round(ctx, p, found); err != nil {
			return nil, fmt.Errorf("round %d: %w", n+1, err)
		}
	}
	return c.table(found), nil
}

// round measures each row once. The agent of the last row adopts what the one
// before it left running.
func (c *costing) round(ctx context.Context, p *pool.Pool, found map[string][]expense) (err error) {
	defer func() { err = errors.Join(err, p.StopAgent()) }()
	note := func(row string) error {
		e, err := measure(ctx, p, c.seconds)
		found[row] = append(found[row], e)
		fmt.Fprintf(os.Stderr, "%-24s agent %.3f %% of a core, shims %.3f %%, primary %.2f cores, others %.2f, stolen %.1f %%\n",
			row, 100*e.agent, 100*e.shims, e.primary, e.others, 100*e.stolen)
		return err
	}
	if err := p.StartAgent(c.tasks); err != nil {
		return err
	}
	if err := note(resting); err != nil {
		return err
	}
	job, err := p.Submit(ctx, c.tasks)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, job.Stop()) }()
	if err := note(working); err != nil {
		return err
	}
	return p.Loaded(ctx, c.rate, func() error { return c.beside(p, note) })
}

// beside measures the two rows with a primary.
func (c *costing) beside(p *pool.Pool, note func(string) error) error {
	if err := note(besides); err != nil {
		return err
	}
	if err := p.StopAgent(); err != nil {
		return err
	}
	if err := p.StartAgent(c.tasks, "--spread", "off"); err != nil {
		return err
	}
	return note(unspread)
}
