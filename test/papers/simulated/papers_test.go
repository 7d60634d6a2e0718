package simulated

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/sim"
	"lull/test/papers/truth"
	"lull/test/report"
)

func quick(t *testing.T) options {
	var o options
	o.Quick, o.Seeds, o.Seed = true, 1, 1
	o.Measured = filepath.Join(t.TempDir(), "none.json")
	return o.settled()
}

// No policy beats the bound that its own run is held against, with and without
// due times, and due times only raise it.
func TestNoPolicyBeatsTheBound(t *testing.T) {
	o := quick(t)
	for _, policy := range o.Policies {
		s, err := caseStudy(o, truth.Declared(), policy, 77)
		if err != nil {
			t.Fatal(err)
		}
		r, err := sim.Run(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		values, err := table3Row(&s, r)
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]float64{}
		for _, v := range values {
			of[v.metric] = v.value
		}
		tct, bound, due := of["total_tct_hours"], of["bound_hours"], of["bound_due_hours"]
		if !(0 < bound && bound <= due*(1+1e-9) && due <= tct*(1+1e-9)) {
			t.Errorf("%s took %.4f h, want at least the bound with due times, %.4f h, and that at least the bound, %.4f h, above 0", policy, tct, due, bound)
		}
	}
}

// The bound must not depend on the simulator's own arithmetic: a host of one slot under a steady
// load leaves no choice, so the bound is what was used.
func TestBoundIsTightWhereNothingCanBeChosen(t *testing.T) {
	s, err := smallStudy("fifo", "all", 0.5, 10*time.Minute, 3)
	if err != nil {
		t.Fatal(err)
	}
	s.Hosts = []sim.Host{{Name: "only", Cores: 1, Load: sim.Steady(0.4)}}
	for i := range s.Jobs {
		s.Jobs[i].Patience = 0
	}
	r, err := sim.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	least, err := limit(&s, r, false)
	if err != nil {
		t.Fatal(err)
	}
	if used := outcomeOf(&s, r).tct; used < least || used > least*1.001 {
		t.Errorf("used = %.6f h, want the bound, %.6f h, or at most 0.1 %% more", used, least)
	}
}

func TestPoliciesMeetTheSameTasks(t *testing.T) {
	factors := map[string]map[string]float64{}
	for _, policy := range []string{"fifo", "mp"} {
		s, err := smallStudy(policy, "all", 1.5, 10*time.Minute, 5)
		if err != nil {
			t.Fatal(err)
		}
		r, err := sim.Run(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		factors[policy] = map[string]float64{}
		for _, run := range r.Runs {
			key, _ := json.Marshal([]any{run.Job, run.Stage, run.Task})
			factors[policy][string(key)] = run.Factor
		}
	}
	both := 0
	for task, f := range factors["fifo"] {
		if other, ok := factors["mp"][task]; ok {
			if both++; other != f {
				t.Errorf("factor of %s = %v with fifo, %v with mp, want the same", task, f, other)
			}
		}
	}
	if both < 100 {
		t.Errorf("tasks in common = %d, want at least 100", both)
	}
}

// Each table prints, in both forms, with rows that name policy, metric, mean,
// low and high.
func TestQuickTables(t *testing.T) {
	for _, e := range experiments[:min(someTables, len(experiments))] {
		t.Run(e.name, func(t *testing.T) {
			if e.name == "swim" || e.name == "swim-placing" {
				t.Skip("needs files that are not in the repository: see TestSwimReplaysOtherFiles")
			}
			r, err := e.run(context.Background(), quick(t))
			if err != nil {
				t.Fatal(err)
			}
			for _, form := range []string{"table", "json"} {
				var b bytes.Buffer
				if err := r.Write(&b, form); err != nil {
					t.Fatalf("Write(%s) = %v, want no error", form, err)
				}
			}
			if len(r.Rows) == 0 {
				t.Fatalf("rows of %s = 0, want some", e.name)
			}
			for _, row := range r.Rows {
				checkRow(t, row)
			}
		})
	}
}

func checkRow(t *testing.T, row report.Row) {
	t.Helper()
	keys := []string{}
	for _, c := range row {
		keys = append(keys, c.Key)
	}
	if !strings.HasSuffix(strings.Join(keys, " "), "policy metric mean low high") {
		t.Errorf("keys of a row = %v, want policy, metric, mean, low and high last", keys)
	}
}

func TestSwimSaysWhatIsMissing(t *testing.T) {
	o := quick(t)
	o.Jobs = filepath.Join(t.TempDir(), "none.csv")
	r, err := swimPolicies(context.Background(), o)
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "skipped") || !strings.Contains(r.Notes[0], "--jobs") {
		t.Errorf("swimPolicies(a missing file) = %+v, %v, want one note that it was skipped, and --jobs", r, err)
	}
}

func TestSwimReplaysOtherFiles(t *testing.T) {
	o := quick(t)
	o.Policies = []string{"edf", "mp"}
	o.Jobs = write(t, "jobs.csv", "job_id,submit_s,interarrival_s,map_input_bytes,shuffle_bytes,reduce_output_bytes\n"+
		"a,0,0,3000000000,0,0\nb,60,60,900000000,90000000,10000000\nc,900,840,20000000,0,1000\n")
	o.Hosts = write(t, "hosts.csv", "series_id,0,300,600\nx,10,40,20\ny,80,5,60\n")
	for _, run := range []func(context.Context, options) (*report.Report, error){swimPolicies, swimPlacing} {
		r, err := run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Rows {
			checkRow(t, row)
		}
		if len(r.Rows) == 0 {
			t.Error("rows = 0, want some")
		}
	}
}
