package simulate

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"lull/sim/trace"
	"lull/sim/webpage"
)

// options are the example's first hours.
func options() Options {
	return Options{
		Hosts: "../../../examples/sim/usage.csv", Jobs: "../../../examples/sim/jobs.csv",
		Policies: []string{"fifo", "mp"}, Seed: 1, Seeds: 1, Nodes: 600, Patience: 24 * time.Hour,
		Host: trace.HostOptions{Cores: 2, MaxMissing: 0.5, Until: 90 * time.Minute},
		Job:  trace.JobOptions{Speed: 1, Noise: 0.1, Swim: trace.Swim{Block: 1e8, BlockSeconds: 20, Reducer: 1e9, DeadlineFactor: 3}},
	}
}

func compare(t *testing.T, o Options) (*Plan, []*Run) {
	t.Helper()
	plan, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	runs := plan.Runs()
	if err := plan.Compare(t.Context(), runs); err != nil {
		t.Fatal(err)
	}
	return plan, runs
}

// TestExample runs the example of docs/sim.md, from its files to the page.
func TestExample(t *testing.T) {
	plan, runs := compare(t, options())
	for _, row := range Rows(runs) {
		if got := row.Met + row.Missed + row.Rejected + row.Free; got != float64(len(plan.List.Jobs)) || row.Jobs != got {
			t.Errorf("%s: jobs with a fate = %v, of the row = %v, want %d", row.Policy, got, row.Jobs, len(plan.List.Jobs))
		}
		// Work is conserved, and noise has mean 1: what was harvested is what
		// the jobs asked for, but for what was rejected.
		if hours := plan.List.Work / 3600; row.Rejected == 0 && math.Abs(row.Harvested-hours) > 0.1*hours {
			t.Errorf("%s: core-hours harvested = %v, want %v ± 10 %%", row.Policy, row.Harvested, hours)
		}
		if !(row.Share > 0 && row.Share <= 1) || row.TaskHours < row.Harvested*0.9 {
			t.Errorf("row = %+v, want a share above 0 and up to 1, and task hours of at least 0.9 of those harvested", row)
		}
	}
	var b bytes.Buffer
	if err := webpage.Write(&b, plan.Report(runs, "lull sim", time.Second)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"fifo", "web-01", "examples/sim/usage.csv", "web-04" /* lacks samples, at noon */} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %s, want it there", want)
		}
	}
}

func TestTheSameSeedGivesTheSameFigures(t *testing.T) {
	o := options()
	o.Policies = []string{"mp"}
	_, one := compare(t, o)
	_, two := compare(t, o)
	a, b := *one[0].Figures, *two[0].Figures
	if a.Wall, b.Wall = 0, 0; a != b {
		t.Errorf("figures of two runs of a seed =\n%+v\nand\n%+v\nwant the same", a, b)
	}
}

func TestCurvesReplaceConservedWork(t *testing.T) {
	o := options()
	o.Curves = "testdata/curves.json"
	plan, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, truth := range plan.Scenario.Types {
		if truth.Type == "report" {
			if found++; len(truth.Points) != 3 {
				t.Errorf("curve of report = %+v, want 3 points", truth)
			}
		}
	}
	if found != 1 {
		t.Errorf("curves of report = %d, want 1", found)
	}
}

func TestCompareEndsWhenAsked(t *testing.T) {
	plan, err := Load(options())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	runs := plan.Runs()
	if err := plan.Compare(ctx, runs); !errors.Is(err, context.Canceled) || len(Rows(runs)) != 0 {
		t.Errorf("Compare(cancelled context) = %v, with %d rows, want context.Canceled, 0", err, len(Rows(runs)))
	}
}
