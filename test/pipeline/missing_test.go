package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
)

// sides is a pool of two hosts: the right one reads the outputs of the left one.
func sides(t *testing.T) (f *fleet, c *client.Client) {
	t.Helper()
	f = newFleet(t)
	f.service("admission", "admission")
	f.service("slotter", "slotter")
	for _, side := range []string{"left", "right"} {
		f.agent(side, "--advertise", "127.0.0.1:"+port(t), "--labels", "side="+side, "--reserve-cpu", "0")
	}
	c = f.client()
	f.hosts(c, 2)
	return f, c
}

// say appends an operator's event.
func (f *fleet) say(c *client.Client, e subjects.Event) {
	f.t.Helper()
	ctx, cancel := patiently(f.t)
	defer cancel()
	view, err := c.View(ctx)
	if err == nil {
		err = c.Append(ctx, view.State, e)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// keeps is the folder in which a host keeps a job.
func (f *fleet) keeps(host, job string) string {
	return filepath.Join(f.dir, host, "agent", string(subjects.DefaultPool), "jobs", job)
}

// vanish removes what a host keeps of a job's stage, or of a task of it ("0/7"), as a clean-up
// job would.
func (f *fleet) vanish(host, job, of string) {
	f.t.Helper()
	folder := filepath.Join(f.keeps(host, job), of)
	if _, err := os.Stat(folder); err != nil {
		f.t.Fatalf("Stat(the output to remove) = %v, want it there", err)
	}
	if err := os.RemoveAll(folder); err != nil {
		f.t.Fatal(err)
	}
}

const across = `
name: across
output: out
stages:
  - {name: map, tasks: 3, retries: 0, where: {side: left}, command: 'echo $LULL_TASK > $LULL_OUT/part-0'}
  - {name: reduce, from: {stage: map, by: partition}, tasks: 1, where: {side: right}, command: 'sort > $LULL_OUT/all'}
`

func mapped(j *ledger.Job) bool { return len(j.Stages) > 0 && j.Stages[0].Complete() }

func TestOutputsThatVanishAreMadeAgain(t *testing.T) {
	t.Parallel()
	f, c := sides(t)
	folder := t.TempDir()
	f.say(c, &subjects.Paused{Host: f.host("right")})
	job := submit(t, c, folder, across)
	when(t, c, job, mapped)
	f.vanish("left", job, "0")
	f.say(c, &subjects.Resumed{Host: f.host("right")})
	j := finished(t, c, job)
	if got := all(results(t, filepath.Join(folder, "out"))); got != "0\n1\n2\n" {
		t.Errorf("results = %q, want the lines 0, 1 and 2", got)
	}
	if j.Totals.Failed != 0 {
		t.Errorf("totals = %+v, want no failed attempt", j.Totals)
	}
}

// A host that loses every output uses up its tasks' retries, and the job fails.
func TestOutputsThatAlwaysVanishFailTheJob(t *testing.T) {
	t.Parallel()
	f, c := sides(t)
	folder := t.TempDir()
	// The map waits for a file, so that the right host is paused in time.
	job := submit(t, c, folder, strings.NewReplacer("tasks: 3", "tasks: 1, dir: .", "'echo", "'until mv go gone 2>/dev/null; do sleep 0.02; done; echo").Replace(across))
	for lost := 0; ; lost++ {
		f.say(c, &subjects.Paused{Host: f.host("right")})
		write(t, filepath.Join(folder, "go"), "")
		j := when(t, c, job, func(j *ledger.Job) bool { return mapped(j) && j.Stages[1].Held == 0 || j.Phase.Ended() })
		if j.Phase.Ended() {
			break
		}
		f.vanish("left", job, "0")
		f.say(c, &subjects.Resumed{Host: f.host("right")})
		when(t, c, job, func(j *ledger.Job) bool { return !mapped(j) || j.Phase.Ended() })
		if lost > 3 {
			t.Fatalf("the output was made again %d times, want the job failed", lost)
		}
	}
	j := ended(t, c, job)
	for _, says := range []string{f.host("left"), f.keeps("left", job) + "/0/0/attempt-", "retry"} {
		if !strings.Contains(j.Text, says) {
			t.Errorf("text of the failed job = %q, want it to name %s", j.Text, says)
		}
	}
	if j.Phase != ledger.Failed || j.Code != subjects.ReasonMissing {
		t.Errorf("job = %v (%s: %s), want failed with the code %s", j.Phase, j.Code, j.Text, subjects.ReasonMissing)
	}
	f.say(c, &subjects.Resumed{Host: f.host("right")})
	if _, err := c.Retry(t.Context(), client.Request{Job: job}); err != nil {
		t.Fatal(err)
	}
	when(t, c, job, func(j *ledger.Job) bool { return j.Phase == ledger.Finished })
	if got := all(results(t, filepath.Join(folder, "out"))); got != "0\n" {
		t.Errorf("results after a retry = %q, want the line 0", got)
	}
	f.vanish("left", job, "0")
	view, err := c.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Outputs(t.Context(), view.State, view.State.Job(job), 0)
	for _, says := range []string{"task map/0", "lost", f.host("left"), f.keeps("left", job) + "/0/0/attempt-", "submit the job again"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Outputs(a finished job with a lost output) = %v, want an error that contains %q", err, says)
		}
	}
}
