package simulated

import (
	"context"
	"fmt"
	"sync"

	"lull/sim"
)

// family is a set of tables that read different values off the same runs. A command that prints several of them makes
// each run once: the first table keeps what the others will read.
type family struct {
	measures map[string]measure // by table
	kept     sync.Map           // the values by table, of each run
}

var (
	overloads = &family{measures: map[string]measure{
		"figure11": dueTimes, "figure12": completionTimes, "figure13": distribution("terasort"), "figure14": distribution("pi"),
	}}
	caseStudies = &family{measures: map[string]measure{"figure15": slotsOfJobs, "figure16": loadedShares}}
)

// sweep is sweep for one table of the family. Variants of the same settings, policy and seed have to be the same scenario.
func (f *family) sweep(ctx context.Context, o options, variants []variant, table string) (*book, error) {
	return spread(ctx, o, variants, func(ctx context.Context, v *variant, seed uint64) ([]value, error) {
		key := fmt.Sprint(o.Quick, v.at, v.policy, seed)
		if kept, ok := f.kept.Load(key); ok {
			return kept.(map[string][]value)[table], nil
		}
		all := map[string][]value{}
		_, err := v.run(ctx, seed, func(s *sim.Scenario, r *sim.Result) (_ []value, err error) {
			for name, read := range f.measures {
				if all[name], err = read(s, r); err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		if err == nil {
			f.kept.Store(key, all)
		}
		return all[table], err
	})
}
