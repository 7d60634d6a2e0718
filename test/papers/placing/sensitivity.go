package placing

import (
	"context"
	"fmt"

	"lull/placer/search"
	"lull/test/report"
	"lull/test/stat"
)

// sensitivity is what the genetic search finds with populations and numbers of offspring that the paper does
// not print, after as many predictions as it had time for and after many.
func sensitivity(_ context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{"Mean of the seeds, in predicted seconds of Sort. offspring: new candidates a generation, as a part of the population."}}
	populations, offspring, evaluations := []int{5, 10, 20, 40}, []float64{0.25, 0.5, 1, 2}, []int{paperEvaluations, 1_000, 10_000}
	if o.Quick {
		o.Seeds, populations, offspring, evaluations = min(o.Seeds, 2), populations[1:2], offspring[2:3], evaluations[:1]
	}
	p := Sorting()
	for _, population := range populations {
		for _, part := range offspring {
			cells := row("population", population, "offspring", part)
			for _, n := range evaluations {
				var seconds []float64
				for seed := o.Seed; seed < o.Seed+uint64(o.Seeds); seed++ {
					a, err := search.Genetic(p, search.GeneticOptions{Seed: seed, Evaluations: n, Population: population, Offspring: part})
					if err != nil {
						return nil, err
					}
					seconds = append(seconds, a.Result.Seconds)
				}
				cells = append(cells, report.Cell{Key: fmt.Sprintf("after_%d_s", n), Value: stat.Mean(seconds).Mean})
			}
			r.Rows = append(r.Rows, cells)
		}
	}
	return r, nil
}
