package placing

import (
	"context"
	"flag"

	"lull/test/report"
	"lull/test/tables"
)

// options are what the flags say.
type options struct {
	Seeds int
	Seed  uint64
	Quick bool
}

// experiment is one table.
type experiment struct {
	name, what string
	seeds      int // by default; 0 if it draws nothing
	run        func(ctx context.Context, o options) (*report.Report, error)
}

var experiments = []experiment{
	{"tara-figure3", "Sort and Analytics on 80 of 800 hosts, by policy and search", 1, figure3},
	{"tara-figure2", "what the searches find by the number of their evaluations", 20, figure2},
	{"tara-random", "drawn pools and jobs: ours beside the bound and the best of the four", 1, random},
	{"tara-dag", "plans of TPC-DS queries, ours beside the four policies", 1, dag},
	{"tara-trace", "shuffles of a day at Facebook, reducers placed", 5, trace},
	{"tara-sensitivity", "the genetic search by population and offspring", 10, sensitivity},
}

// Tables are all experiments.
func Tables() (all []tables.Table) {
	for _, e := range experiments {
		o := new(options)
		all = append(all, tables.Table{
			Name: e.name, What: e.what, Exact: true,
			Flags: func(set *flag.FlagSet) {
				if e.seeds > 1 {
					set.IntVar(&o.Seeds, "seeds", e.seeds, "how many seeds")
				}
				set.Uint64Var(&o.Seed, "seed", 1, "the first seed")
			},
			Run: func(ctx context.Context, quick bool) (*report.Report, error) {
				o.Quick = quick
				return e.run(ctx, *o)
			},
		})
	}
	return all
}

// row makes a row of keys and values.
func row(pairs ...any) (r report.Row) {
	for i := 0; i < len(pairs); i += 2 {
		r = append(r, report.Cell{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return r
}
