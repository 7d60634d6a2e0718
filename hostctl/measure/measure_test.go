package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/hostctl/shim"
)

// TestMain makes the test binary serve as the shim.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "shim" {
		os.Exit(shim.Main(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// leftovers lists what a measurement may have left.
func leftovers() (all []string) {
	for _, pattern := range []string{
		fmt.Sprintf("/sys/fs/cgroup/*/lull/doctor-%d", os.Getpid()), filepath.Join(os.TempDir(), "lull-doctor-*"),
	} {
		found, _ := filepath.Glob(pattern)
		all = append(all, found...)
	}
	return all
}

func TestRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, err := Run(t.Context(), Config{For: shortest, Busy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", r)
	if r.Alone.Requests < 50 || r.Beside.Requests < 50 || r.Alone.P50 <= 0 || r.Alone.P99 < r.Alone.P50 || r.Beside.P99 < r.Beside.P50 {
		t.Errorf("latencies = %+v, want at least 50 requests each with p99 above the median", r)
	}
	if r.Harvested <= 0 || r.Harvested > float64(r.Cores)*1.2 || r.Ratio <= 0 || r.Judgement == "" || r.Protection == "" {
		t.Errorf("harvest = %+v, want some CPU, at most 1.2 of %d cores, a ratio and words", r, r.Cores)
	}
	if left := leftovers(); len(left) > 0 {
		t.Errorf("left behind: %v, want nothing", left)
	}
}

func TestRunStopsAndCleansUp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, stop := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer stop()
	if _, err := Run(ctx, Config{For: time.Hour, Busy: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run() = %v, want DeadlineExceeded", err)
	}
	if left := leftovers(); len(left) > 0 {
		t.Errorf("left behind: %v, want nothing", left)
	}
}

func TestRunRefusesWhatShowsNothing(t *testing.T) {
	if _, err := Run(t.Context(), Config{For: time.Second}); err == nil || !strings.Contains(err.Error(), "too short") {
		t.Errorf("Run(1s) = %v, want an error: too short", err)
	}
	if _, err := Run(t.Context(), Config{Root: t.TempDir()}); err == nil {
		t.Error("Run(without /proc) = nil error, want an error")
	}
	t.Setenv("TMPDIR", "/no/folder")
	if _, err := Run(t.Context(), Config{}); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("Run(without TMPDIR) = %v, want an error that names it", err)
	}
}

func TestQuantile(t *testing.T) {
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(i+1)*time.Second)
	}
	if got := Summary(hundred); got != (Latency{100, 51, 100}) {
		t.Errorf("Summary(1 to 100) = %+v, want {100 51 100}", got)
	}
	if got := Summary(nil); got != (Latency{}) {
		t.Errorf("Summary(nil) = %+v, want nothing", got)
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		alone, beside float64
		says          string
	}{
		{0.002, 0.0021, "does not notice"},
		{0.001, 0.0012, "does not notice"}, // ×1.2
		{0.002, 0.004, "notices a little: one request in a hundred comes 2 ms later"},
		{0.002, 0.012, "weak"},
		{0.002, 2, "next to no protection"},
		{0.5, 0.6, "too busy for a result"},
		{0, math.NaN(), "Nothing was measured"},
	} {
		r := Result{Alone: Latency{100, 0, c.alone}, Beside: Latency{100, 0, c.beside}, Ratio: c.beside / c.alone}
		if got := judge(r); !strings.Contains(got, c.says) {
			t.Errorf("%v beside %v: %q, want %q", c.beside, c.alone, got, c.says)
		}
	}
}
