package simulate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// shuffles are options of eight idle hosts behind one wide uplink and one narrow one, and of jobs that sort
// two gigabytes each, minutes apart.
func shuffles(t *testing.T) Options {
	o := options()
	var usage, jobs strings.Builder
	usage.WriteString("series_id,0,3600\n")
	for h := range 8 {
		fmt.Fprintf(&usage, "host-%d,0,0\n", h)
	}
	jobs.WriteString("job_id,submit_s,interarrival_s,map_input_bytes,shuffle_bytes,reduce_output_bytes\n")
	for i := range 6 {
		fmt.Fprintf(&jobs, "job%d,%d,600,800000000,800000000,800000000\n", i, 60+600*i)
	}
	o.Hosts, o.Jobs = write(t, "usage.csv", usage.String()), write(t, "jobs.csv", jobs.String())
	o.Policies, o.Nodes, o.Host.Until, o.Align = []string{"mp+"}, 8, 0, true
	o.Job.Swim.DeadlineFactor, o.Job.Swim.Reducer = 0, 4e8
	return o
}

// TestTopologyShowsWhatPlacingBrings: with a narrow uplink jobs take longer, and a placer that knows it keeps them off.
func TestTopologyShowsWhatPlacingBrings(t *testing.T) {
	free := shuffles(t)
	_, runs := compare(t, free)
	alone := Rows(runs)
	o := shuffles(t)
	o.Topology = write(t, "racks.yaml", "racks:\n  - {name: narrow, rate: 50Mbit/s, nics: {host-6: 2Gbit/s}}\n  - {name: wide, rate: 10Gbit/s}\n")
	plan, runs := compare(t, o)
	rows := Rows(runs)
	if len(alone) != 1 || len(rows) != 2 || rows[0].Policy != "mp+" || rows[1].Policy != "mp+ placed" {
		t.Fatalf("rows without a topology = %d, with one = %+v, want 1, and mp+ and mp+ placed", len(alone), rows)
	}
	if n, p := rows[0].Moving, rows[1].Moving; !(n > alone[0].Moving+5) || !(p < n*0.9) {
		t.Errorf("seconds of jobs that move data = %v without links, %v with, %v placed, want over 5 more with links, a tenth less when placed", alone[0].Moving, n, p)
	}
	if h := plan.Scenario.Hosts; h[6].Labels[0] != "rack=narrow" || h[7].Labels[0] != "rack=wide" || plan.Scenario.Topology.Hosts[6].Out != 250e6 {
		t.Errorf("labels of host-6, host-7 = %v, %v, host-6 sends %v B/s, want rack=narrow, rack=wide, 2.5e+08", h[6].Labels, h[7].Labels, plan.Scenario.Topology.Hosts[6].Out)
	}
	if lines := Moved(plan, rows); len(lines) != 2 || !strings.HasPrefix(lines[1], "mp+ placed: jobs that move data took") {
		t.Errorf("Moved() = %q, want 2 lines, the second of mp+ placed", lines)
	}
}

func TestTopologyMistakes(t *testing.T) {
	o := shuffles(t)
	o.Topology = write(t, "racks.yaml", "racks:\n  - {name: a, rate: 0}\n")
	if _, err := Load(o); err == nil || !strings.Contains(err.Error(), "racks.yaml") {
		t.Errorf("Load(a rack with rate: 0) = %v, want an error that names racks.yaml", err)
	}
	o = options()
	o.Topology = write(t, "racks.yaml", "racks:\n  - {name: a, rate: 1Gbit/s}\n")
	o.Patience = time.Hour
	plan, err := Load(o)
	if err != nil || !strings.Contains(strings.Join(plan.Notes, "\n"), "No job moves data") {
		t.Errorf("Load(jobs of one stage) = %v, %v, want a note that no job moves data", plan, err)
	}
}
