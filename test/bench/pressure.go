package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"lull/cmd/lull/client"
	"lull/subjects"
	"lull/test/report"
)

// pressing measures how soon the guard acts: from the moment at which a primary
// that rested begins to want nearly every core, to the look that finds its budget
// broken, to the write of batch work's bound.
//
// A guard learns from each onset, and keeps batch work off a core for longer each
// time. So each onset meets a new agent, which adopts the tasks of the last one.
type pressing struct {
	onsets, tasks, threads int
}

var pressure pressing

func (p *pressing) flags(set *flag.FlagSet) {
	set.IntVar(&p.onsets, "onsets", 100, "how many times the primary begins to work")
	set.IntVar(&p.tasks, "tasks", 4, "tasks that compute")
	set.IntVar(&p.threads, "threads", runtime.NumCPU()+1, "processes of the primary that compute then")
}

const (
	settled      = 300 * time.Millisecond // from joining: it has adopted what runs, and its own start is no load
	longEnough   = time.Second
	mostToAct    = 5.0   // ms from notice to action, p99
	mostFromRest = 150.0 // ms from onset to action, p99
)

func (p *pressing) run(ctx context.Context, quick bool) (r *report.Report, err error) {
	if quick {
		p.onsets = 3
	}
	h, err := openHouse(ctx, "")
	defer func() { err = errors.Join(err, h.close()) }()
	if err != nil {
		return nil, err
	}
	// In the idle class itself the primary is not protected by it, so that batch
	// work hurts it at once, and only the guard helps.
	if err := h.stage.groups.idle(h.stage.batch["primary"]); err != nil {
		return nil, err
	}
	h.log = newLines()
	if err := p.start(h); err != nil {
		return nil, err
	}
	job, err := h.submit(ctx, p.tasks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, job.stop()) }()
	found, err := p.measure(ctx, h)
	if err != nil {
		return nil, err
	}
	// The job is waited for, and its end takes an agent.
	return found.report(p), p.start(h)
}

func (p *pressing) start(h *house) error {
	return errors.Join(h.stopAgent(), h.startAgent(p.tasks, "--log-level", "info", "--log-json"))
}

func (p *pressing) measure(ctx context.Context, h *house) (found reactions, err error) {
	joined, err := h.joins(ctx)
	if err != nil {
		return found, err
	}
	for n := range p.onsets {
		if err := errors.Join(p.start(h), joined(), wait(ctx, settled+phaseOf(n))); err != nil {
			return found, err
		}
		if err := p.onset(ctx, h, n, &found); err != nil {
			return found, err
		}
	}
	return found, nil
}

// joins returns what waits until each agent that was started has joined the pool.
func (h *house) joins(ctx context.Context) (wait func() error, err error) {
	view, err := h.client.View(ctx)
	if err != nil {
		return nil, err
	}
	joined := h.started
	view.Each = func(e client.Entry) {
		if _, ok := e.Event.(*subjects.Joined); ok {
			joined++
		}
	}
	return func() error {
		limited, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		return view.Until(limited, func() bool { return joined >= h.started })
	}, nil
}

// phaseOf spreads the onsets over the time between two looks of a guard, which
// begin with the agent.
func phaseOf(n int) time.Duration {
	return time.Duration(n) * 17 * time.Millisecond % (100 * time.Millisecond)
}

// onset makes the primary work, until the guard has acted or long enough. It
// begins with the first process: what it takes to start them counts too.
func (p *pressing) onset(ctx context.Context, h *house, n int, found *reactions) error {
	at := time.Now()
	primary, err := h.stage.launch("pi", p.threads, "-join", h.stage.batch["primary"])
	if err != nil {
		return err
	}
	act, ok := h.log.heldBack(ctx, at, longEnough)
	found.add(at, act, ok)
	if ok {
		fmt.Fprintf(os.Stderr, "onset %3d: noticed after %v, acted upon in %v\n", n+1, act.noticed.Sub(at), act.took)
	} else {
		fmt.Fprintf(os.Stderr, "onset %3d: nothing was done\n", n+1)
	}
	return primary.stop()
}
