// Package pressure measures how soon the guard acts.
package pressure

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"lull/client"
	"lull/subjects"
	"lull/test/bench/live/host"
	"lull/test/bench/live/pool"
	"lull/test/report"
	"lull/test/tables"
)

// pressing is that measurement. Time begins at the moment at which a resting primary
// wants nearly every core. Two times are taken: at the look that finds its budget broken, and at
// the write of batch work's bound.
//
// A guard learns from each onset, and keeps batch work off a core for longer each
// time. So each onset meets a new agent, which adopts the tasks of the last one.
type pressing struct {
	onsets, tasks, threads int

	log *lines // of the agents
}

var pressure pressing

// Table is the benchmark.
var Table = tables.Table{Name: "pressure", What: "how soon the guard acts when a primary begins to work", Flags: pressure.flags, Run: pressure.run}

func (p *pressing) flags(set *flag.FlagSet) {
	set.IntVar(&p.onsets, "onsets", 100, "how many times the primary begins to work")
	set.IntVar(&p.tasks, "tasks", 4, "tasks that compute")
	set.IntVar(&p.threads, "threads", runtime.NumCPU()+1, "processes of the primary that compute then")
}

const (
	settled      = 300 * time.Millisecond // after joining: the agent has adopted what runs, and its own start is over
	longEnough   = time.Second            // to wait for the guard to act
	mostToAct    = 5.0                    // ms from notice to action, p99
	mostFromRest = 150.0                  // ms from onset to action, p99
)

func (p *pressing) run(ctx context.Context, quick bool) (r *report.Report, err error) {
	if quick {
		p.onsets = 3
	}
	h, err := pool.Open(ctx, "")
	defer func() { err = errors.Join(err, h.Close()) }()
	if err != nil {
		return nil, err
	}
	// In the idle class itself the primary is not protected by it, so that batch
	// work hurts it at once, and only the guard helps.
	if err := h.Stage.Groups.Idle(h.Stage.Batch["primary"]); err != nil {
		return nil, err
	}
	p.log = newLines()
	h.Log = p.log
	if err := p.start(h); err != nil {
		return nil, err
	}
	job, err := h.Submit(ctx, p.tasks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, job.Stop()) }()
	found, err := p.measure(ctx, h)
	if err != nil {
		return nil, err
	}
	// Stop waits for the end of the job, which needs an agent.
	return found.report(p), p.start(h)
}

func (p *pressing) start(h *pool.Pool) error {
	return errors.Join(h.StopAgent(), h.StartAgent(p.tasks, "--log-level", "info", "--log-json"))
}

func (p *pressing) measure(ctx context.Context, h *pool.Pool) (found reactions, err error) {
	joined, err := joins(ctx, h)
	if err != nil {
		return found, err
	}
	for n := range p.onsets {
		if err := errors.Join(p.start(h), joined(), host.Wait(ctx, settled+phaseOf(n))); err != nil {
			return found, err
		}
		if err := p.onset(ctx, h, n, &found); err != nil {
			return found, err
		}
	}
	return found, nil
}

// joins returns a function that waits until every agent that was started has joined the pool.
func joins(ctx context.Context, h *pool.Pool) (wait func() error, err error) {
	view, err := h.Client.View(ctx)
	if err != nil {
		return nil, err
	}
	joined := h.Started
	view.Each = func(e client.Entry) {
		if _, ok := e.Event.(*subjects.Joined); ok {
			joined++
		}
	}
	return func() error {
		limited, cancel := context.WithTimeout(ctx, host.Patience)
		defer cancel()
		return view.Until(limited, func() bool { return joined >= h.Started })
	}, nil
}

// phaseOf spreads the onsets over the time between two looks of a guard, which
// begin with the agent.
func phaseOf(n int) time.Duration {
	return time.Duration(n) * 17 * time.Millisecond % (100 * time.Millisecond)
}

// onset makes the primary work until the guard has acted, or for longEnough. Time begins before the first
// process of the primary, so the start of its processes counts too.
func (p *pressing) onset(ctx context.Context, h *pool.Pool, n int, found *reactions) error {
	at := time.Now()
	primary, err := h.Stage.Launch("pi", p.threads, "-join", h.Stage.Batch["primary"])
	if err != nil {
		return err
	}
	act, ok := p.log.heldBack(ctx, at, longEnough)
	found.add(at, act, ok)
	if ok {
		fmt.Fprintf(os.Stderr, "onset %3d: noticed after %v, acted upon in %v\n", n+1, act.noticed.Sub(at), act.took)
	} else {
		fmt.Fprintf(os.Stderr, "onset %3d: nothing was done\n", n+1)
	}
	return primary.Stop()
}
