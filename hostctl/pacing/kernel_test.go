package pacing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
)

// v1Slot is a slot on a host that has only the v1 freezer and accounts. Its tasks are not in the
// background class, and get a share of a core whatever else runs.
func v1Slot(t *testing.T) *slots.Slot {
	t.Helper()
	const freezer = "/sys/fs/cgroup/freezer"
	if _, err := os.Stat(freezer + "/cgroup.procs"); err != nil || os.Geteuid() != 0 {
		t.Skip("needs root and the v1 freezer")
	}
	caps, err := cgroup.Detect("/")
	check(t, err)
	caps = cgroup.Capabilities{
		Root: "/", CPUs: caps.CPUs,
		CPUTime: cgroup.Mechanism{Version: 1, Mount: "/sys/fs/cgroup/cpuacct", File: "cpuacct.usage"},
		Freeze:  cgroup.Mechanism{Version: 1, Mount: freezer, File: "freezer.state"},
	}
	if _, err := os.Stat("/sys/fs/cgroup/cpuacct/cpuacct.usage"); err != nil {
		t.Skip("needs the v1 accounts of CPU time")
	}
	tree, err := cgroup.Open(caps, fmt.Sprintf("duty-%d", os.Getpid()))
	check(t, err)
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
		defer stop()
		check(t, tree.Remove(ctx))
	})
	group, err := tree.Slot(0)
	check(t, err)
	return slots.New(0, shim.Config{Dir: t.TempDir(), Slot: group, Command: []string{"/proc/self/exe", "shim"}}, true)
}

// On the real freezer, without a quota, a task gets its share of the time. One thread in a slot of
// two cores with a cap of 0.6 of a core runs for 0.3 of the time.
func TestADutyOnTheKernel(t *testing.T) {
	s := v1Slot(t)
	c, err := s.Shim(t.Context())
	check(t, err)
	t.Cleanup(func() { check(t, s.Close(context.Background(), true)) })
	events := s.Expect(1)
	check(t, c.Start(shim.Task{Attempt: 1, Argv: sh("while :; do :; done"), Dir: "/"}))
	if e, ok := (<-events).(*shim.Started); !ok {
		t.Fatalf("first event = %+v, want Started", e)
	}
	d := newDuties(2, func(ctx context.Context, _ int, on bool) error { return s.Freeze(ctx, slots.ByPace, on) })
	// Others may want the CPU, too: so its use is set beside that without a cap, before
	// and after, and tried again.
	for range 6 {
		before := uses(t, s)
		check(t, d.Pace(0, 0.6))
		capped := uses(t, s)
		check(t, d.Pace(0, 0))
		free := min(before, uses(t, s))
		t.Logf("%.2f cores of 0.3, %.2f without a cap", capped, free)
		if capped < 0.45 && capped > 0.15*free && capped < 0.8*free {
			return
		}
	}
	t.Error("the cap of 0.3 cores held in none of six tries, want less than 0.45 cores and a part of those without a cap")
}

// uses is the cores that the slot's task uses for a while.
func uses(t *testing.T, s *slots.Slot) float64 {
	t.Helper()
	before, _, err := s.Group.Usage()
	check(t, err)
	begin := time.Now()
	<-time.After(700 * time.Millisecond) // what a cap leaves shows over time only
	after, _, err := s.Group.Usage()
	check(t, err)
	return (after - before) / time.Since(begin).Seconds()
}

func sh(script string) []string { return []string{"/bin/sh", "-c", script} }

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestMain makes the test binary serve as the shim.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "shim" {
		os.Exit(shim.Main(os.Args[2:]))
	}
	os.Exit(m.Run())
}
