package tct

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"lull/client"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/bench/live/host"
	"lull/test/steal"
)

// errStarved ends a campaign early. What the campaign has measured so far is still reported.
var errStarved = errors.New("tasks did not end even beside an idle primary: end what else uses the CPU of this machine")

// round is the measurement of tasks beside one level of the primary's load.
type round struct {
	// Shares of the machine: what the primary was to use, what it used, and what the hypervisor took away.
	asked, got, stolen float64
	residual           float64 // mean of the residuals that the assignments were based on
	tasks              int
	why                string // why the round is discarded, "" if it counts
}

// campaign runs all rounds and records what they measured.
type campaign struct {
	in    *host.Instance
	view  *client.View
	kinds []*kind
	dir   string
	rng   *rand.Rand

	record
	all   []round
	short error   // why it ended early, nil if it did not
	level float64 // present level of the primary
	fills int     // jobs that fill the slots between the rounds
}

func newCampaign(in *host.Instance, view *client.View, kinds []*kind, dir string, rng *rand.Rand) *campaign {
	c := &campaign{in: in, view: view, kinds: kinds, dir: dir, rng: rng, record: newRecord()}
	c.level = 1 // compilers just used the machine: the first level settles from there
	for _, h := range view.State.Hosts() {
		c.class = h.Joined.Class
	}
	view.Each = func(e client.Entry) { c.see(e, view.State) }
	return c
}

// rounds runs rounds at levels over the primary's whole range, again and again until n.budget is used up,
// but at least one pass.
func (c *campaign) rounds(ctx context.Context, load *host.Driven, n effort) error {
	begin := time.Now()
	if err := c.fill(ctx); err != nil {
		return err
	}
	for pass := 0; ; pass++ {
		for _, level := range sweep(c.rng, pass, n.strata) {
			if pass > 0 && time.Since(begin) > n.budget {
				return c.unfill()
			}
			switch err := c.round(ctx, load, level, n); {
			case errors.Is(err, errStarved):
				c.short = err
				return nil
			case err != nil:
				return err
			}
		}
	}
}

// round sets the primary to a level, waits until it has settled, submits the tasks, and waits for their
// ends. Before and after the tasks, other tasks fill the slots. So from the assignment of the first task to
// the end of the last one all slots are busy, as in a busy pool, and each of the two has half of the idle CPU.
func (c *campaign) round(ctx context.Context, load *host.Driven, level float64, n effort) error {
	if err := load.Set(level); err != nil {
		return err
	}
	if err := host.Wait(ctx, settling(c.level, level, n.settle)); err != nil {
		return err
	}
	c.level = level
	measured, err := load.Begin()
	if err != nil {
		return err
	}
	jobs, err := c.submit(ctx, tasksAt(level, n.each))
	if err != nil {
		return err
	}
	if err := errors.Join(c.fill(ctx), c.unfillBefore()); err != nil {
		return err
	}
	r := round{asked: level, tasks: len(jobs)}
	if r.why, err = c.ends(ctx, load, jobs, n); err != nil {
		return err
	}
	if r.got, r.stolen, err = measured.End(); err != nil {
		return err
	}
	if r.stolen > steal.Most {
		r.why = fmt.Sprintf("%.1f %% of the CPU was stolen", 100*r.stolen)
	}
	c.close(r)
	progress(len(c.all), c.all[len(c.all)-1])
	return nil
}

// submit submits a number of tasks (each) of every type, and every task as a job of its own. The types come
// in a random order.
func (c *campaign) submit(ctx context.Context, each int) (jobs []string, err error) {
	for range each {
		for _, i := range c.rng.Perm(len(c.kinds)) {
			job, err := c.in.Submit(ctx, c.kinds[i].job(c.rng), client.NewID())
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, job)
		}
	}
	return jobs, nil
}

// ends waits until the jobs have ended. If they starve because other processes use the machine, too, it sets
// the primary to 0 so that they can end. The round then does not count, and why says so.
func (c *campaign) ends(ctx context.Context, load *host.Driven, jobs []string, n effort) (why string, err error) {
	limited, cancel := context.WithTimeout(ctx, n.round)
	defer cancel()
	err = c.view.Until(limited, c.ended(jobs))
	if err == nil || ctx.Err() != nil || limited.Err() == nil {
		return "", errors.Join(err, c.failed(jobs))
	}
	if err := load.Set(0); err != nil {
		return "", err
	}
	limited, cancel = context.WithTimeout(ctx, n.room)
	defer cancel()
	if err := c.view.Until(limited, c.ended(jobs)); err != nil {
		if ctx.Err() == nil && limited.Err() != nil {
			err = errStarved
		}
		return "", err
	}
	c.level = 0
	return fmt.Sprintf("its tasks took longer than %v", n.round), c.failed(jobs)
}

func (c *campaign) ended(jobs []string) func() bool {
	return func() bool {
		for _, id := range jobs {
			if j := c.view.State.Job(id); j == nil || !j.Phase.Ended() {
				return false
			}
		}
		return true
	}
}

func (c *campaign) failed(jobs []string) error {
	for _, id := range jobs {
		if j := c.view.State.Job(id); j != nil && j.Phase.Ended() && j.Phase != ledger.Finished {
			return fmt.Errorf("job %s ended as %s: %s", id, j.Phase, j.Text)
		}
	}
	return nil
}

// fill submits as many tasks as there are slots, which keep the slots busy until unfill ends them.
func (c *campaign) fill(ctx context.Context) error {
	c.fills++
	doc := &spec.Doc{Name: "fill", Type: "fill", Stages: []spec.DocStage{{
		Name: "task", Command: []string{filepath.Join(c.dir, "work"), "fill", c.flag(c.fills)}, Tasks: c.slots(),
	}}}
	_, err := c.in.Submit(ctx, doc, client.NewID())
	return err
}

func (c *campaign) slots() uint32 {
	n := uint32(0)
	for _, h := range c.view.State.Hosts() {
		n += h.Joined.Slots
	}
	return max(n, 1)
}

// unfillBefore ends the tasks of the last fill but one, unfill those of the last fill.
func (c *campaign) unfillBefore() error { return os.WriteFile(c.flag(c.fills-1), nil, 0o644) }
func (c *campaign) unfill() error       { return os.WriteFile(c.flag(c.fills), nil, 0o644) }

func (c *campaign) flag(fill int) string { return filepath.Join(c.dir, fmt.Sprintf("filled-%d", fill)) }

// progress prints what a round measured, to show how far the benchmark is.
func progress(n int, r round) {
	fmt.Fprintf(os.Stderr, "round %d: primary asked %.0f %%, got %.0f %%; residual %.2f; %d tasks",
		n, 100*r.asked, 100*r.got, r.residual, r.tasks)
	if r.why != "" {
		fmt.Fprintf(os.Stderr, "; discarded: %s", r.why)
	}
	fmt.Fprintln(os.Stderr)
}
