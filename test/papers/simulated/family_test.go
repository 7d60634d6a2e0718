package simulated

import (
	"context"
	"fmt"
	"testing"

	"lull/sim"
)

// What a family's second table prints is what it prints alone, and it makes no run of its own.
func TestAFamilyMakesEachRunOnce(t *testing.T) {
	o, ctx := quick(t), context.Background()
	variants := o.behind([]float64{0.8})[:1]
	runs := 0
	f := &family{measures: map[string]measure{"figure12": completionTimes, "figure11": func(s *sim.Scenario, r *sim.Result) ([]value, error) {
		runs++
		return dueTimes(s, r)
	}}}
	for table, read := range map[string]measure{"figure11": dueTimes, "figure12": completionTimes} {
		got, err := f.sweep(ctx, o, variants, table)
		if err != nil {
			t.Fatal(err)
		}
		want, err := sweep(ctx, o, variants, read)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprint(got.rows()), fmt.Sprint(want.rows()); len(got.rows()) == 0 || a != b {
			t.Errorf("sweep(%s) in the family = %s, want %s, as alone", table, a, b)
		}
	}
	if runs != o.Seeds {
		t.Errorf("runs = %d, want %d, one for each seed", runs, o.Seeds)
	}
}
