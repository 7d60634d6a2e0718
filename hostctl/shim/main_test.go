package shim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lull/hostctl/cgroup"
)

// asShim in the environment makes the test binary run as a shim.
const asShim = "LULL_TEST_SHIM=1"

func TestMain(m *testing.M) {
	if os.Getenv("LULL_TEST_SHIM") != "" {
		os.Exit(Main(os.Args[1:]))
	}
	if socket := os.Getenv(callShim); socket != "" {
		call(socket)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// patience bounds every wait of a test.
const patience = 2 * time.Minute

func testContext(t testing.TB) context.Context {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	t.Cleanup(stop)
	return ctx
}

// testConfig is a slot's configuration in a folder of the test, without cgroup.
func testConfig(t testing.TB) Config {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "shim") // t.TempDir has too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return Config{Dir: dir, Command: []string{"/usr/bin/env", asShim, "GORACE=atexit_sleep_ms=0", self}, Idle: 5 * time.Second}
}

// testTree makes real cgroups, or skips the test. They go after everything that
// is launched later.
func testTree(t testing.TB) *cgroup.Tree { return testTreeWith(t, nil) }

// v1Only is a host without a unified tree, where the freezer holds the shim too.
func v1Only(c *cgroup.Capabilities) {
	for _, m := range []*cgroup.Mechanism{&c.Idle, &c.Weight, &c.Cap, &c.Cores, &c.Reclaim, &c.DiskCap, &c.Freeze, &c.Memory, &c.PIDs, &c.Pressure, &c.CPUTime, &c.Resident, &c.OOM} {
		if m.Version == 2 {
			*m = cgroup.Mechanism{}
		}
	}
	if _, err := os.Stat("/sys/fs/cgroup/freezer/cgroup.procs"); err == nil {
		c.Freeze = cgroup.Mechanism{Version: 1, Mount: "/sys/fs/cgroup/freezer", File: "freezer.state"}
	}
}

func testTreeWith(t testing.TB, drop func(*cgroup.Capabilities)) *cgroup.Tree {
	if os.Getuid() != 0 {
		t.Skip("needs root, to make cgroups")
	}
	caps, err := cgroup.Detect("/")
	if err != nil || !caps.Idle.OK() {
		t.Skipf("needs writable cgroups: %v %v", err, caps.Notes)
	}
	if drop != nil {
		drop(&caps)
	}
	if !caps.Freeze.OK() {
		t.Skip("needs a cgroup that can freeze")
	}
	tree, err := cgroup.Open(caps, fmt.Sprintf("test-%d-%s", os.Getpid(), filepath.Base(t.Name())))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Remove(testContext(t)); err != nil {
			t.Error(err)
		}
	})
	return tree
}

// testSlot makes a slot in a tree, which the end of the test clears.
func testSlot(t testing.TB, tree *cgroup.Tree, n int) *cgroup.Slot {
	slot, err := tree.Slot(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := slot.Kill(testContext(t)); err != nil {
			t.Error(err)
		}
	})
	return slot
}

// launch starts a shim that ends with the test.
func launch(t testing.TB, cfg Config) *Client {
	t.Helper()
	c, err := Launch(testContext(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { quit(t, c) })
	return c
}

// quit ends a shim and waits for it, unless its connection is gone already.
func quit(t testing.TB, c *Client) {
	t.Helper()
	if c.Quit() != nil {
		return
	}
	deadline := time.After(patience)
	for {
		select {
		case _, open := <-c.Events():
			if !open {
				return
			}
		case <-deadline:
			t.Error("time is over, want the shim to quit")
			return
		}
	}
}

// next waits for the next event of the wanted type, and passes over others.
func next[E Event](t testing.TB, c *Client) E {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case e, open := <-c.Events():
			if !open {
				t.Fatal("the connection is lost, want an event")
			}
			if want, ok := e.(E); ok {
				return want
			}
		case <-deadline:
			var want E
			t.Fatalf("no %T came", want)
		}
	}
}

// run runs a task to its end.
func run(t testing.TB, c *Client, task Task) *Exited {
	t.Helper()
	if err := c.Start(task); err != nil {
		t.Fatal(err)
	}
	return next[*Exited](t, c)
}
