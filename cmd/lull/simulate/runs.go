package simulate

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"lull/sim"
	"lull/subjects"
)

// Run is one policy with one seed. What it says of its progress may be read
// while it goes; the rest once Compare has returned.
type Run struct {
	Policy string
	Seed   uint64

	at               atomic.Int64 // virtual nanoseconds
	started          atomic.Int64 // Unix nanoseconds, 0: not yet
	withoutAdmission atomic.Bool  // it runs without admission, to be compared
	done             atomic.Bool

	Figures *Figures // nil if it did not end
	Wall    time.Duration
	reasons map[string]int // of rejections, by code
	// Refused is what admission's rejections came to; nil if there were none, or their run
	// without admission did not end.
	Refused *Refused
	plots   *plots // of the first seed alone
}

// At is how far it is in virtual time, Started when it began (zero: it has
// not).
func (r *Run) At() time.Duration { return time.Duration(r.at.Load()) }

// Started is when it began; zero if it has not.
func (r *Run) Started() time.Time {
	if n := r.started.Load(); n != 0 {
		return time.Unix(0, n)
	}
	return time.Time{}
}

// WithoutAdmission says whether it has ended and runs once more without admission.
func (r *Run) WithoutAdmission() bool { return r.withoutAdmission.Load() }

// Done says whether it has ended.
func (r *Run) Done() bool { return r.done.Load() }

// Runs are all that is to be run, a policy's seeds one after the other.
func (p *Plan) Runs() (runs []*Run) {
	for s := range p.Seeds {
		for _, policy := range variants(&p.Options) {
			runs = append(runs, &Run{Policy: policy, Seed: p.Seed + uint64(s)})
		}
	}
	return runs
}

// Compare runs them, as many at once as there are cores. When ctx ends, the
// runs that have ended keep their figures.
func (p *Plan) Compare(ctx context.Context, runs []*Run) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, r := range runs {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return p.run(ctx, r)
		})
	}
	return group.Wait()
}

func (p *Plan) run(ctx context.Context, r *Run) error {
	begin := time.Now()
	r.started.Store(begin.UnixNano())
	s := as(p.Scenario, r.Policy)
	s.Seed = r.Seed
	s.Watch = func(at time.Duration, _ uint64, _ subjects.Event) { r.at.Store(int64(at)) }
	result, err := sim.Run(ctx, s)
	if err != nil {
		return r.wrap(err)
	}
	r.Figures, r.reasons = newFigures(result), reasons(result)
	r.Figures.Moving = meanMoving(&s, result)
	r.Figures.Wall = time.Since(begin).Seconds()
	if r.Seed == p.Seed {
		r.plots = newPlots(&s, result)
	}
	if err := r.compare(ctx, s, result); err != nil {
		return r.wrap(err)
	}
	r.Wall = time.Since(begin)
	r.done.Store(true)
	return nil
}

func (r *Run) wrap(err error) error {
	return fmt.Errorf("policy %s, seed %d: %w", r.Policy, r.Seed, err)
}
