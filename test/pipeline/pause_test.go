package pipeline

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/subjects/ledger"
)

// The kill switch needs no service but the server: those who decide are dead
// when it is thrown. Tasks stand still with what they hold, a host that joins
// meanwhile starts nothing, and all goes on at a word.
func TestTheKillSwitchNeedsNobody(t *testing.T) {
	f := newFleet(t)
	deciders := []*process{f.service("admission", "admission"), f.service("slotter", "slotter")}
	f.agent("early")
	c := f.client()
	f.hosts(c, 1)
	folder := t.TempDir()
	job := submit(t, c, folder, `
name: beating
stages:
  - {name: a, tasks: 2, dir: ., command: 'while [ ! -e open ]; do echo >> beats-$LULL_TASK; sleep 0.01; done'}
`)
	when(t, c, job, func(j *ledger.Job) bool { return j.Held() > 0 })
	beats := func() int64 { return size(folder, "beats-0") + size(folder, "beats-1") }
	f.eventually("a task to run", func() bool { return beats() > 0 })
	for _, p := range deciders {
		p.want = -1 // killed
		_ = p.Process.Kill()
		<-p.done
	}

	f.lull("pause", "--all")
	f.eventually("the task to stand still", func() bool {
		before := beats()
		<-time.After(200 * time.Millisecond)
		return beats() == before
	})
	f.agent("late")
	f.hosts(c, 2)
	f.service("admission2", "admission")
	f.service("slotter2", "slotter")
	f.eventually("both hosts to be shown as paused", func() bool { return strings.Count(f.lull("hosts"), "paused") == 2 })
	still := beats()

	f.lull("resume", "--all")
	f.eventually("the task to go on", func() bool { return beats() > still })
	write(t, filepath.Join(folder, "open"), "")
	if j := finished(t, c, job); j.Totals.Evicted+j.Totals.Failed != 0 {
		t.Errorf("totals %+v, want every task to survive the pause", j.Totals)
	}
}

// lull runs a command of the client and returns what it prints.
func (f *fleet) lull(args ...string) string {
	f.t.Helper()
	cmd := exec.Command(binary(f.t), append(args, "--nats", f.url)...)
	cmd.Env = append(os.Environ(), "LULL_TOKEN=secret")
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("lull %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func size(folder, name string) int64 {
	info, err := os.Stat(filepath.Join(folder, name))
	if err != nil {
		return 0
	}
	return info.Size()
}
