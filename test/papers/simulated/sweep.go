package simulated

import (
	"context"
	"fmt"

	"lull/sim"
	"lull/test/parallel"
	"lull/test/report"
)

// variant is one way to run an experiment.
type variant struct {
	at     []report.Cell // what it varies beside the policy: labels of its rows
	policy string
	make   func(seed uint64) (sim.Scenario, error)
}

// value is what one run says of a metric.
type value struct {
	metric string
	value  float64
}

// measure returns the values of a run.
type measure func(s *sim.Scenario, r *sim.Result) ([]value, error)

// book is a board for each setting of what an experiment varies.
type book struct {
	boards []*board
	by     map[string]*board
}

// sweep runs every variant with every seed over all cores.
func sweep(ctx context.Context, o options, variants []variant, read measure) (*book, error) {
	return spread(ctx, o, variants, func(ctx context.Context, v *variant, seed uint64) ([]value, error) { return v.run(ctx, seed, read) })
}

// spread asks for the values of every variant with every seed, over all cores.
func spread(ctx context.Context, o options, variants []variant, values func(context.Context, *variant, uint64) ([]value, error)) (*book, error) {
	runs, err := parallel.Each(ctx, len(variants)*o.Seeds, func(ctx context.Context, i int) ([]value, error) {
		v, seed := &variants[i/o.Seeds], o.Seed+uint64(i%o.Seeds)
		values, err := values(ctx, v, seed)
		if err != nil {
			err = fmt.Errorf("%v %s, seed %d: %w", v.at, v.policy, seed, err)
		}
		return values, err
	})
	if err != nil {
		return nil, err
	}
	b := &book{by: map[string]*board{}}
	for i, values := range runs {
		v := variants[i/o.Seeds]
		for _, x := range values {
			b.page(v.at).add(v.policy, x.metric, x.value)
		}
	}
	return b, nil
}

func (v *variant) run(ctx context.Context, seed uint64, read measure) ([]value, error) {
	s, err := v.make(seed)
	if err != nil {
		return nil, err
	}
	result, err := sim.Run(ctx, s)
	if err != nil {
		return nil, err
	}
	return read(&s, result)
}

// page returns the board of a setting.
func (b *book) page(at []report.Cell) *board {
	key := fmt.Sprint(at)
	if b.by[key] == nil {
		b.by[key] = newBoard(at...)
		b.boards = append(b.boards, b.by[key])
	}
	return b.by[key]
}

func (b *book) rows() (rows []report.Row) {
	for _, each := range b.boards {
		rows = append(rows, each.rows()...)
	}
	return rows
}

// label is a setting of one thing.
func label(key string, value any) []report.Cell { return []report.Cell{{Key: key, Value: value}} }
