package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
)

// scenario is a pool and what is offered to it, by seed.
type scenario func(seed uint64) (sim.Scenario, error)

// tally counts the outcomes of jobs under a mode of admission.
type tally struct {
	met, missed, rejected, others int
	// regret counts the rejected jobs that would have been done in time if
	// every job had been admitted. Under overload not all of them could be admitted: for each of them
	// another job would have been late.
	regret int
}

func (t *tally) add(r, all *sim.Result) {
	for i := range r.Jobs {
		switch j := &r.Jobs[i]; {
		case j.State == "rejected":
			t.rejected++
			if inTime(&all.Jobs[i], all.End) {
				t.regret++
			}
		case j.State != "finished":
			t.others++
		case !inTime(j, r.End):
			t.missed++
		default:
			t.met++
		}
	}
}

func inTime(j *sim.JobResult, end time.Duration) bool {
	return j.State == "finished" && j.Late(end) == 0
}

// kept is the share of admitted jobs that met their deadlines.
func (t *tally) kept() float64 {
	return float64(t.met) / float64(max(t.met+t.missed+t.others, 1))
}

func (t *tally) jobs() int { return t.met + t.missed + t.rejected + t.others }

// study runs one policy under every mode with so many seeds.
type study struct {
	of     scenario
	policy string
	seeds  int
	why    io.Writer // for the reasons of rejections; nil for none
}

// modes compares them job by job with the mode that admits everything.
func (s study) modes(ctx context.Context) (map[string]*tally, error) {
	sums := map[string]*tally{}
	for seed := range uint64(s.seeds) {
		all, err := s.run(ctx, seed, subjects.ModeAll)
		if err != nil {
			return nil, err
		}
		for _, mode := range admission.Modes() {
			r := all
			if mode != subjects.ModeAll {
				if r, err = s.run(ctx, seed, mode); err != nil {
					return nil, err
				}
			}
			if sums[mode] == nil {
				sums[mode] = new(tally)
			}
			sums[mode].add(r, all)
		}
	}
	return sums, nil
}

func (s study) run(ctx context.Context, seed uint64, mode string) (*sim.Result, error) {
	sc, err := s.of(seed)
	if err != nil {
		return nil, err
	}
	sc.Seed, sc.Admission.Mode, sc.Slotter = seed, mode, slotter.Config{Policy: s.policy}
	if s.why != nil && mode == subjects.ModeAffected {
		sc.Watch = func(at time.Duration, _ uint64, e subjects.Event) {
			if e, ok := e.(*subjects.Rejected); ok {
				_, _ = fmt.Fprintf(s.why, "seed %d, %s, %s at %v: %s: %s\n", seed, s.policy, e.Name, at.Round(time.Second), e.Code, e.Text)
			}
		}
	}
	r, err := sim.Run(ctx, sc)
	if err != nil {
		return nil, fmt.Errorf("mode %s, policy %s, seed %d: %w", mode, s.policy, seed, err)
	}
	return r, nil
}
