package waits

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func must(t testing.TB, s *Sensor) Reading {
	t.Helper()
	r, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// near compares times: what was read in nanoseconds, up to one of them.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// host is a tree with two threads of a primary, one in a group below its own.
func host(t *testing.T) (root, group string) {
	root = t.TempDir()
	group = filepath.Join(root, "cgroup/web")
	put(t, root+"/proc/self/schedstat", "1 1 1\n")
	put(t, group+"/cgroup.procs", "10\n")
	put(t, group+"/worker/cgroup.procs", "20\n")
	put(t, root+"/proc/10/task/10/schedstat", "1000000000 500000000 7\n")
	put(t, root+"/proc/20/task/21/schedstat", "2000000000 100000000 7\n")
	return root, group
}

func TestSchedstatAddsUpThreads(t *testing.T) {
	root, group := host(t)
	s, err := Open(Config{Root: root, Primary: []string{group}})
	if err != nil {
		t.Fatal(err)
	}
	if r := must(t, s); r != (Reading{Name: "schedstat"}) {
		t.Errorf("first reading = %+v, want zero by schedstat", r)
	}
	put(t, root+"/proc/10/task/10/schedstat", "1500000000 700000000 8\n")
	put(t, root+"/proc/20/task/22/schedstat", "40000000 30000000 1\n") // a new thread
	r := must(t, s)
	if !near(r.Ran, 0.54) || !near(r.Runnable, 0.23) || !near(r.Delayed, r.Runnable) {
		t.Errorf("half a second on: %+v, want 0.54 ran, 0.23 runnable and delayed", r)
	}
}

func TestSchedstatKeepsWhatEndedThreadsDid(t *testing.T) {
	root, group := host(t)
	s, err := Open(Config{Root: root, Primary: []string{group}})
	if err != nil {
		t.Fatal(err)
	}
	put(t, root+"/proc/20/task/21/schedstat", "2100000000 150000000 9\n")
	before := must(t, s)
	if err := os.RemoveAll(filepath.Join(root, "proc/20")); err != nil {
		t.Fatal(err)
	}
	if after := must(t, s); after != before || !near(after.Ran, 0.1) {
		t.Errorf("reading = %+v, and when the thread is gone %+v, want the same and 0.1 ran", before, after)
	}
	put(t, root+"/proc/20/task/21/schedstat", "5000000 0 1\n") // its number is used again
	if after := must(t, s); !near(after.Ran, 0.105) {
		t.Errorf("with a new thread of the same number: %+v, want 0.105 ran", after)
	}
}

func TestSchedstatRefusesWhatItCannotRead(t *testing.T) {
	root, group := host(t)
	for _, text := range []string{"", "1\n", "x y z\n", "-1 2 3\n"} {
		put(t, root+"/proc/10/task/10/schedstat", text)
		if s, err := openSchedstat(Config{Root: root, Primary: []string{group}}); err != nil {
			t.Error(err)
		} else if r, err := s.read(); err == nil || !strings.Contains(err.Error(), "schedstat") {
			t.Errorf("schedstat %q = %+v, %v, want an error that names it", text, r, err)
		}
	}
}

func TestPressureOfACgroup(t *testing.T) {
	root := t.TempDir()
	group := filepath.Join(root, "web")
	stat := func(usage, cpu, io string) {
		put(t, group+"/cpu.stat", "usage_usec "+usage+"\nuser_usec 1\n")
		put(t, group+"/cpu.pressure", "some avg10=1.00 avg60=0.00 avg300=0.00 total="+cpu+"\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n")
		put(t, group+"/io.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total="+io+"\n")
	}
	stat("1000000", "2000", "3000")
	s, err := Open(Config{Root: root, Primary: []string{group}}) // without proc
	if err != nil {
		t.Fatal(err)
	}
	stat("3000000", "502000", "103000")
	if r := must(t, s); !near(r.Ran, 2) || !near(r.Runnable, 0.5) || !near(r.Delayed, 0.5) || !near(r.Blocked, 0.1) || r.Name != "PSI" {
		t.Errorf("reading = %+v, want 2 ran, 0.5 runnable and delayed, 0.1 blocked by PSI", r)
	}
	stat("3000000", "many", "0")
	if r, err := s.Read(); err == nil {
		t.Errorf("reading of a total of many = %+v, want an error", r)
	}
}

func TestWithoutASensorEachSaysWhy(t *testing.T) {
	_, err := Open(Config{Root: t.TempDir()})
	if !errors.Is(err, ErrNoSensor) {
		t.Fatal(err)
	}
	for _, want := range []string{"eBPF: ", "schedstat: ", "PSI: ", "/proc/pressure/cpu"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: nothing of %s", err, want)
		}
	}
}

func TestQuantiles(t *testing.T) {
	var h Histogram
	if h.Quantile(0.99) != 0 {
		t.Errorf("Quantile(0.99) of no waits = %v, want 0", h.Quantile(0.99))
	}
	h[10], h[20] = 98, 2 // about a microsecond, about a millisecond
	if h.Quantile(0.5) != 2048e-9 || h.Quantile(0.98) != 2048e-9 || h.Quantile(0.99) != (2<<20)/1e9 {
		t.Errorf("median, p98, p99 = %v, %v, %v, want about 1 µs, 1 µs, 1 ms", h.Quantile(0.5), h.Quantile(0.98), h.Quantile(0.99))
	}
	later := h
	later[20] += 5
	if d := later.Since(h); d.Count() != 5 || d[20] != 5 {
		t.Errorf("Since() after five more = %v, want 5", d)
	}
}
