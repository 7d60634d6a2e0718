package pipeline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lull/subjects/ledger"
)

// lull pause --all needs no service but the server: admission and slotter are dead when it is
// given. Tasks stand still with their memory, a host that joins meanwhile starts nothing, and one
// command resumes all.
func TestTheKillSwitchNeedsNoService(t *testing.T) {
	f := newFleet(t)
	deciders := []*process{f.service("admission", "admission"), f.service("slotter", "slotter")}
	f.agent("early")
	c := f.client()
	f.hosts(c, 1)
	folder := t.TempDir()
	job := submit(t, c, folder, `
name: beating
stages:
  - {name: a, tasks: 2, dir: ., command: 'echo $$ > pid-$LULL_TASK; while [ ! -e open ]; do echo >> beats-$LULL_TASK; sleep 0.01; done'}
`)
	when(t, c, job, func(j *ledger.Job) bool { return j.Held() > 0 })
	beats := func() int64 { return size(folder, "beats-0") + size(folder, "beats-1") }
	f.eventually("the first task to run", func() bool { return size(folder, "beats-0") > 0 })
	for _, p := range deciders {
		p.kill()
	}

	f.lull("pause", "--all")
	f.eventually("the task to stand still", func() bool { return standsStill(t, read(t, filepath.Join(folder, "pid-0"))) })
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
		t.Errorf("totals = %+v, want no task evicted or failed", j.Totals)
	}
}

// standsStill reports whether a process is stopped, by the freezer of its cgroup or by a signal.
func standsStill(t *testing.T, pid string) bool {
	t.Helper()
	folder := "/proc/" + strings.TrimSpace(pid)
	groups, err := os.ReadFile(folder + "/cgroup")
	if err != nil {
		t.Fatalf("cgroups of the task's process = %v, want no error", err)
	}
	for line := range strings.Lines(string(groups)) {
		switch parts := strings.SplitN(strings.TrimSpace(line), ":", 3); parts[1] {
		case "freezer":
			if b, err := os.ReadFile(mounted(t, "freezer") + parts[2] + "/freezer.state"); err == nil && string(b) == "FROZEN\n" {
				return true
			}
		case "":
			if b, err := os.ReadFile(mounted(t, "") + parts[2] + "/cgroup.events"); err == nil && strings.Contains(string(b), "frozen 1") {
				return true
			}
		}
	}
	stat, err := os.ReadFile(folder + "/stat")
	return err == nil && strings.Contains(string(stat), ") T ")
}

// mounted returns where the cgroups of a v1 controller are mounted, or those of v2 for "".
func mounted(t *testing.T, controller string) string {
	t.Helper()
	for line := range strings.Lines(read(t, "/proc/mounts")) {
		f := strings.Fields(line)
		if f[2] == "cgroup2" && controller == "" || f[2] == "cgroup" && slices.Contains(strings.Split(f[3], ","), controller) {
			return f[1]
		}
	}
	return "/nowhere"
}

// lull runs a command of the client and returns what it prints.
func (f *fleet) lull(args ...string) string {
	f.t.Helper()
	f.t.Setenv("LULL_TOKEN", "secret")
	return lull(f.t, append(args, "--nats", f.url)...)
}

func size(folder, name string) int64 {
	info, err := os.Stat(filepath.Join(folder, name))
	if err != nil {
		return 0
	}
	return info.Size()
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
