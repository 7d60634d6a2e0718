package trace

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"lull/sim"
	"lull/subjects/spec"
)

func jobs(t *testing.T, text string, o JobOptions) *List {
	t.Helper()
	l, err := Jobs(strings.NewReader(text), "jobs.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestOwnForm(t *testing.T) {
	l := jobs(t, `task_seconds,tasks,submit_s,name,type,deadline_s,memory_mb,cores,input_bytes,source,queue
30,4,200,Nightly ETL,etl,600,512,2,1000000,nfs1,Batch
10,1,100,,,,,,,,
`, JobOptions{Begin: 50 * time.Second, Speed: 2, Noise: 0.1})
	if len(l.Jobs) != 2 || l.Form != "lull" || l.Tasks != 5 || l.Work != 130 || l.First != 100*time.Second || l.Last != 200*time.Second {
		t.Fatalf("list = %+v, want 2 jobs in lull's form, 5 tasks, 130 s of work, 100 s to 200 s", l)
	}
	if first := l.Jobs[0]; first.At != 25*time.Second || first.Spec.Name != "job-3" || first.Spec.DeadlineIn != 0 || first.Spec.Stages[0].Memory != spec.DefaultMemory {
		t.Errorf("first job = %+v, want job-3 at 25 s, without a deadline, with the default memory", first)
	}
	got := l.Jobs[1]
	want := spec.Stage{
		Name: "work", Argv: []string{"true"}, Tasks: 4, CPU: 2, Memory: 512 << 20, Retries: 3, Backoff: time.Second,
		Estimate: 30 * time.Second, Bytes: 1_000_000, Sources: []string{"nfs1"},
	}
	if got.At != 75*time.Second || got.Spec.Name != "nightly-etl" || got.Spec.Type != "etl" || got.Spec.Queue != "batch" ||
		got.Spec.DeadlineIn != 10*time.Minute || !reflect.DeepEqual(got.Spec.Stages[0], want) {
		t.Errorf("second job = %+v, want nightly-etl at 75 s, of type etl, in queue batch, due in 10 min, with the stage %+v", got, want)
	}
	truth := []sim.Truth{
		{Type: "etl", Points: []sim.Point{{Residual: 1, Seconds: 30}}, Noise: 0.1, Read: 1_000_000. / 30},
		{Type: "jobs", Points: []sim.Point{{Residual: 1, Seconds: 10}}, Noise: 0.1},
	}
	if !reflect.DeepEqual(l.Types, truth) {
		t.Errorf("types = %+v, want %+v", l.Types, truth)
	}
}

// A type has unequal tasks: in proportion to their input, or for reasons that only their estimates
// show.
func TestTruthsOfUnequalTasks(t *testing.T) {
	l := jobs(t, "submit_s,tasks,task_seconds,type,input_bytes\n0,1,10,a,100\n0,1,20,a,200\n0,1,10,b,100\n0,1,20,b,100\n", JobOptions{})
	want := []sim.Truth{{Type: "a", Points: []sim.Point{{Residual: 1, Seconds: 10}}, Size: 100, Read: 10}}
	if !reflect.DeepEqual(l.Types, want) {
		t.Errorf("types = %+v, want %+v", l.Types, want)
	}
}

func TestWindowOfJobs(t *testing.T) {
	const text = "submit_s,tasks,task_seconds\n10,1,1\n20,1,1\n30,1,1\n"
	l := jobs(t, text, JobOptions{Begin: 15 * time.Second, Until: 30 * time.Second})
	if len(l.Jobs) != 1 || l.Outside != 2 || l.Jobs[0].At != 5*time.Second {
		t.Errorf("list = %+v, want one job at 5 s, 2 outside the window", l)
	}
	l = jobs(t, text, JobOptions{Begin: time.Hour, Align: true})
	if len(l.Jobs) != 3 || l.Jobs[0].At != 0 || l.Jobs[2].At != 20*time.Second {
		t.Errorf("aligned list = %+v, want 3 jobs from 0 s to 20 s", l)
	}
}

// TestSwim reckons by hand what the rule of Swim says.
func TestSwim(t *testing.T) {
	text := swimHeader + "\n" +
		"job0,10,10,1342177280,2000000000,500000000\n" + // 10 blocks, 2.5 GB for reduces
		"job1,20,10,1000,0,2000\n" // next to nothing, written by the map
	l := jobs(t, text, JobOptions{Swim: Swim{Slots: 4}})
	big, small := l.Jobs[0].Spec, l.Jobs[1].Spec
	if len(big.Stages) != 2 || big.Stages[0].Tasks != 10 || big.Stages[0].Estimate != 20*time.Second || big.Type != "swim-medium" {
		t.Errorf("big job = %+v, want 2 stages, 10 maps of 20 s each, type swim-medium", big)
	}
	reduce := big.Stages[1]
	if reduce.Tasks != 3 || reduce.Bytes != 833_333_333 || big.Stages[0].Partitions != 3 || !reduce.From[0].Partition {
		t.Errorf("stages = %+v, want 3 partitions, a reduce each of 833333333 bytes", big.Stages)
	}
	// Three waves of maps on four slots, then one of reduces: 3·(3·20 + 124.2) s.
	each := 2.5e9 / 3 / (128 << 20) * 20
	if want := seconds(3 * (60 + each)); (big.DeadlineIn - want).Abs() > time.Millisecond {
		t.Errorf("deadline of the big job = %v, want %v", big.DeadlineIn, want)
	}
	if s := small.Stages[0]; len(small.Stages) != 1 || s.Tasks != 1 || s.Estimate != time.Second || small.DeadlineIn != time.Minute || small.Type != "swim-small" {
		t.Errorf("small job = %+v, want one task of 1 s, due in a minute, type swim-small", small)
	}
	if len(l.Types) == 0 {
		t.Error("types = 0, want some")
	}
	for _, truth := range l.Types {
		if rate := truth.Read; rate < 6.7e6 || rate > 6.72e6 { // 128 MiB in 20 s
			t.Errorf("read rate of %s = %v B/s, want 6.7e6 to 6.72e6", truth.Type, rate)
		}
	}
}

func TestSwimScale(t *testing.T) {
	text := swimHeader + "\njob0,10,10,1342177280,0,0\n"
	l := jobs(t, text, JobOptions{Swim: Swim{Scale: 0.25, DeadlineFactor: -1}})
	if j := l.Jobs[0].Spec; j.Stages[0].Tasks != 3 || j.DeadlineIn != 0 {
		t.Errorf("job at a scale of 0.25 = %+v, want 3 maps, no deadline", j)
	}
}

func TestCurves(t *testing.T) {
	got, err := Curves(strings.NewReader(`[{"type":"pi","points":[{"residual":0.5,"seconds":50},{"residual":1,"seconds":20}],"noise":0.05}]`), "c.json")
	if err != nil || len(got) != 1 || len(got[0].Points) != 2 {
		t.Errorf("Curves() = %v, %v, want one with 2 points", got, err)
	}
}
