package simulate

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"lull/sim/trace"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/profile"
)

// usageFile has two hosts of each of two tenants, in samples of an hour: a day-and-night one and a
// constant one. Behind a number of days all of them do something else.
func usageFile(t *testing.T, days, same int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("series_id,t_seconds,cpu_pct\n")
	for _, host := range []string{"web-1", "web-2", "db-1", "db-2"} {
		for hour := range 24 * days {
			used := 20
			if strings.HasPrefix(host, "web") && hour%24 >= 8 && hour%24 < 20 {
				used = 80
			}
			if hour >= 24*same {
				used = 50
			}
			fmt.Fprintf(&b, "%s,%d,%d\n", host, 3600*hour, used)
		}
	}
	return write(t, "usage.csv", b.String())
}

func steered(t *testing.T, same int) Options {
	o := options()
	o.Hosts, o.Tenants = usageFile(t, 12, same), write(t, "tenants.csv", "host,tenant\nweb-1,shop\nweb-2,shop\ndb-1,ledger\n")
	o.Jobs = write(t, "jobs.csv", "submit_s,type,tasks,task_seconds,deadline_s\n864000,sort,3,60,3600\n864060,sort,3,60,3600\n")
	o.Host = trace.HostOptions{Cores: 4, MaxMissing: 0.5, From: 240 * time.Hour}
	o.Policies, o.Steer = []string{"mp+"}, slotter.SteerPaper
	return o
}

// Classes come from what lies before the run, and from nothing else.
func TestClassesAreLearntBeforeTheRun(t *testing.T) {
	plan, runs := compare(t, steered(t, 12))
	patterns := map[string]profile.Pattern{}
	for _, e := range plan.Scenario.Tenants {
		if e, ok := e.(*subjects.Classified); ok {
			patterns[e.Tenant] = e.Profile.Pattern
		}
	}
	if want := (map[string]profile.Pattern{"shop": profile.Periodic, "ledger": profile.Constant, "host:db-2": profile.Constant}); !reflect.DeepEqual(patterns, want) {
		t.Errorf("patterns of the tenants = %v, want %v", patterns, want)
	}
	if row := Rows(runs)[0]; row.Met != 2 {
		t.Errorf("row = %+v, want both jobs in time", row)
	}
	other, err := Load(steered(t, 10))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(plan.Scenario.Tenants, other.Scenario.Tenants) {
		t.Error("classes from files that differ only after the run's begin are not the same, want them the same")
	}
}

func TestWhatSteeringLacksIsSaid(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"say with --from":               func(o *Options) { o.Host.From = 0 },
		"--steer needs two days of it":  func(o *Options) { o.Host.From = 30 * time.Hour },
		"it names none of the hosts":    func(o *Options) { o.Tenants = write(t, "t.csv", "host,tenant\nx,y\n") },
		"needs the columns host,tenant": func(o *Options) { o.Tenants = write(t, "t.csv", "a,b\n") },
		"no such file":                  func(o *Options) { o.Tenants = "/nowhere/t.csv" },
	} {
		o := steered(t, 12)
		o.Align = true
		change(&o)
		if _, err := Load(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load() = %v, want an error with %q", err, want)
		}
	}
}
