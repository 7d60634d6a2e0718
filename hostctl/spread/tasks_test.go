package spread

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func TestRunnable(t *testing.T) {
	const tail = " 1 2 3 0 -1 4194304 5 6 7 8 9 10 11 12 20 0 1 0 99 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 17 "
	for _, c := range []struct {
		stat string
		cpu  int
		ok   bool
	}{
		{"42 (server) R" + tail + "3 0 0", 3, true},
		{"42 (a ) R (b) R" + tail + "0 0 0", 0, true},
		{"42 (server) S" + tail + "3 0 0", 0, false},
		{"42 (server) R" + tail + "99999999999999999999 0 0", 0, false},
		{"42 (server) R" + tail + "-1 0", 0, false},
		{"42 (server) R 1 2", 0, false},
		{"", 0, false},
	} {
		if cpu, ok := runnable([]byte(c.stat)); cpu != c.cpu || ok != c.ok {
			t.Errorf("runnable(%q) = %d, %v, want %d, %v", c.stat, cpu, ok, c.cpu, c.ok)
		}
	}
}

// watched is a group that holds this process.
func watched(t testing.TB) *Tasks {
	t.Helper()
	group := t.TempDir()
	if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := NewTasks(group)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func TestTasksSeeAThreadThatRuns(t *testing.T) {
	w := watched(t)
	cpus, err := w.Look(nil)
	if err != nil {
		t.Fatal(err)
	}
	running := 0
	for _, c := range cpus {
		if c.Runs == Primary {
			running++
		}
	}
	if running == 0 || len(cpus) != w.cpus {
		t.Errorf("CPUs = %+v, want %d, and the test itself on one", cpus, w.cpus)
	}
}

func TestOfSeveralThreadsOnOneCPUAllButOneWait(t *testing.T) {
	var c CPU
	for thread := range 3 {
		c.addThread(thread + 1)
	}
	if c.Runs != Primary || c.Waiting != 2 || c.Waiters[0].Thread != 2 || c.Waiters[0].Waited < MoveAfter {
		t.Errorf("CPU = %+v, want the primary with two waiting, thread 2 first", c)
	}
}

func TestAGroupThatIsNotThereIsRefused(t *testing.T) {
	if _, err := NewTasks("/nowhere/web"); err == nil {
		t.Error("NewTasks(a group that is not there) = nil error, want an error")
	}
}

func BenchmarkTasks(b *testing.B) {
	w := watched(b)
	var cpus []CPU
	for b.Loop() {
		cpus, _ = w.Look(cpus[:0])
	}
	b.ReportMetric(float64(len(w.threads)), "threads")
}
