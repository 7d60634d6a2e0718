package shim

import (
	"os"
	"sync"
	"syscall"
	"testing"

	"lull/actors/account"
	"lull/hostctl/cgroup"
)

// What a shim adds to a bare fork, exec and wait of /bin/true, with two of
// each at work:
//
//	go test -run - -bench . ./hostctl/shim
const benchSlots = 2

// each runs b.N iterations spread over the slots and reports tasks a second.
func each(b *testing.B, work func(slot, i int)) {
	b.ReportAllocs()
	b.ResetTimer()
	var group sync.WaitGroup
	for slot := range benchSlots {
		group.Go(func() {
			for i := slot; i < b.N; i += benchSlots {
				work(slot, i)
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
}

func BenchmarkBare(b *testing.B) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close() //nolint:errcheck // read only
	attr := &syscall.ProcAttr{Files: []uintptr{null.Fd(), null.Fd(), null.Fd()}}
	each(b, func(_, _ int) {
		pid, err := syscall.ForkExec("/bin/true", []string{"true"}, attr)
		if err != nil {
			b.Error(err)
			return
		}
		if _, err := syscall.Wait4(pid, nil, 0, nil); err != nil {
			b.Error(err)
		}
	})
}

func BenchmarkShim(b *testing.B) {
	benchmarkShim(b, func(int) Config { return testConfig(b) }, Task{})
}

func BenchmarkShimCgroup(b *testing.B) {
	tree := testTree(b)
	benchmarkShim(b, func(slot int) Config {
		cfg := testConfig(b)
		cfg.Slot = testSlot(b, tree, slot)
		return cfg
	}, Task{})
}

// BenchmarkShimLogs keeps stdout and stderr, as every real task does.
func BenchmarkShimLogs(b *testing.B) {
	dir := b.TempDir()
	tree := testTree(b)
	benchmarkShim(b, func(slot int) Config {
		cfg := testConfig(b)
		cfg.Slot = testSlot(b, tree, slot)
		return cfg
	}, Task{Stdout: dir + "/stdout", Stderr: dir + "/stderr"})
}

// BenchmarkShimBounds runs tasks as an agent that is root does: as nobody, with three folders of
// their own.
func BenchmarkShimBounds(b *testing.B) {
	if os.Geteuid() != 0 {
		b.Skip("needs root, to run tasks as another user")
	}
	own := []string{b.TempDir(), b.TempDir(), b.TempDir()}
	benchmarkShim(b, func(int) Config { return testConfig(b) }, Task{Bounds: Bounds{Write: own, User: account.Nobody}})
}

// BenchmarkShimHides hides the folder above the tasks' own from them, too.
func BenchmarkShimHides(b *testing.B) {
	if os.Geteuid() != 0 {
		b.Skip("needs root, to run tasks as another user")
	}
	above := b.TempDir()
	own := []string{b.TempDir(), b.TempDir(), b.TempDir()}
	benchmarkShim(b, func(int) Config { return testConfig(b) }, Task{Bounds: Bounds{Write: own, Hide: []string{above}, Read: own, User: account.Nobody}})
}

func benchmarkShim(b *testing.B, config func(slot int) Config, task Task) {
	var clients [benchSlots]*Client
	for slot := range clients {
		clients[slot] = launch(b, config(slot))
	}
	each(b, func(slot, i int) {
		c, order := clients[slot], task
		order.Attempt, order.Argv = uint64(i+1), []string{"/bin/true"}
		if err := c.Start(order); err != nil {
			b.Error(err)
			return
		}
		if e := next[*Exited](b, c); e.Status != 0 {
			b.Errorf("%+v", e)
		}
		if err := c.Ack(order.Attempt); err != nil {
			b.Error(err)
		}
	})
}

// BenchmarkOwnShm measures what a /dev/shm of the task's own costs: a new one, one that an earlier task left empty, and
// the thread alone.
func BenchmarkOwnShm(b *testing.B) {
	m := noShm()
	defer m.close()
	if !m.open(&Task{}) {
		b.Skip("needs the right to make mount namespaces")
	}
	enter := func() { _ = cgroup.OnThread(func() error { m.enter(); return nil }) }
	for name, one := range map[string]func(){
		"new":    func() { m.close(); m.open(&Task{}); enter() },
		"kept":   func() { m.open(&Task{}); enter(); m.clear(false) },
		"thread": func() { _ = cgroup.OnThread(func() error { return nil }) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				one()
			}
		})
	}
}
