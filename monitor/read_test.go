package monitor

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"lull/subjects"
)

func line(format string, values ...any) string { return fmt.Sprintf(format, values...) }

var epoch = time.Unix(1_700_000_000, 0)

// opened is the files of a tree; after says what a read makes of a sample.
func opened(t *testing.T, root string) *files {
	t.Helper()
	f, err := openFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func after(t *testing.T, r read, seconds float64) subjects.Usage {
	t.Helper()
	apply, err := r(epoch.Add(time.Duration(seconds * 1e9)))
	if err != nil {
		t.Fatal(err)
	}
	var u subjects.Usage
	if apply != nil {
		apply(&u)
	}
	return u
}

// fakeBatch is lull's cgroup as a script.
type fakeBatch struct {
	seconds float64
	err     error
}

func (b *fakeBatch) Usage() (float64, int64, error) { return b.seconds, 4096, b.err }

// stat is proc/stat of two CPUs, with some seconds of each kind of time.
func stat(user, guest, iowait, steal float64) string {
	row := func(name string, share float64) string {
		ticks := func(x float64) int { return int(math.Round(x * share * 100)) }
		return line("%s %d 0 0 0 %d 0 0 %d %d 0\n", name, ticks(user), ticks(iowait), ticks(steal), ticks(guest))
	}
	return row("cpu ", 1) + row("cpu0", 0.5) + row("cpu1", 0.5)
}

func TestCPUSplitsPrimaryFromBatch(t *testing.T) {
	root, batch := tree(t, host), &fakeBatch{seconds: 5}
	r := newCPU(opened(t, root), &Config{Batch: batch}, &Counters{}).read

	put(t, root, "proc/stat", stat(100, 90, 50, 70))
	if u := after(t, r, 0); u.Cores != 0 {
		t.Fatalf("usage after one reading = %+v, want no cores: it gives no rate", u)
	}
	put(t, root, "proc/stat", stat(101.5, 91, 59, 79))
	batch.seconds = 6
	u := after(t, r, 1)
	if u.Cores != 2 || !near2(u.Primary, 0.5) || !near2(u.Batch, 1) || !near2(u.Idle, 1.5) || u.MemoryBatch != 4096 {
		t.Errorf("1.5 s of user time, 1 s of it batch: %+v, want 2 cores, 0.5 primary, 1 batch, 1.5 idle", u)
	}
}

func TestLullsOwnProcessIsNotThePrimary(t *testing.T) {
	root, own := tree(t, host), 7.0
	r := newCPU(opened(t, root), &Config{Own: func() float64 { return own }}, &Counters{}).read

	put(t, root, "proc/stat", stat(100, 0, 0, 0))
	after(t, r, 0)
	put(t, root, "proc/stat", stat(101.5, 0, 0, 0))
	own++
	if u := after(t, r, 1); !near2(u.Primary, 0.5) || !near2(u.Idle, 1.5) {
		t.Errorf("1.5 s of user time, 1 s of it lull's own: %+v, want 0.5 primary, 1.5 idle", u)
	}
}

func near2(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestBusyIsEveryKindOfWorkOnce(t *testing.T) {
	s, err := opened(t, tree(t, host)).proc.Stat()
	if err != nil {
		t.Fatal(err)
	}
	// 10 user + 2 nice + 3 system + 0.5 irq + 0.5 softirq; no guest, steal, iowait.
	if got := busySeconds(s.CPUTotal); !near2(got, 16) {
		t.Errorf("busy for %v s, want 16", got)
	}
}

func TestIdleIsAveragedOverTenSeconds(t *testing.T) {
	root := tree(t, host)
	r := newCPU(opened(t, root), &Config{}, &Counters{}).read
	busy, u := 0.0, subjects.Usage{}
	for second := range 31 {
		if second > 20 { // an idle host, then its tenant takes both cores
			busy += 2
		}
		put(t, root, "proc/stat", stat(busy, 0, 0, 0))
		u = after(t, r, float64(second))
		if second == 25 && (!near2(u.Idle, 1) || !near2(u.Primary, 2)) {
			t.Errorf("five of ten seconds busy: idle, primary = %v, %v, want 1, 2", u.Idle, u.Primary)
		}
	}
	if !near2(u.Idle, 0) {
		t.Errorf("ten of ten seconds busy: idle = %v, want 0", u.Idle)
	}
}

func TestNewBatchCgroupStartsOver(t *testing.T) {
	root, batch := tree(t, host), &fakeBatch{seconds: 900}
	r := newCPU(opened(t, root), &Config{Batch: batch}, &Counters{}).read
	for second, used := range []float64{900, 901, 0.25, 1.25} {
		put(t, root, "proc/stat", stat(float64(second), 0, 0, 0))
		batch.seconds = used
		u := after(t, r, float64(second))
		if second == 2 && u.Cores != 0 {
			t.Errorf("usage after a counter fell = %+v, want no cores", u)
		}
		if second == 3 && (!near2(u.Batch, 1) || !near2(u.Primary, 0)) {
			t.Errorf("usage after a new cgroup = %+v, want 1 batch, 0 primary", u)
		}
	}
}

func TestBatchThatFailsIsAFailure(t *testing.T) {
	r := newCPU(opened(t, tree(t, host)), &Config{Batch: &fakeBatch{err: errors.New("no such cgroup")}}, &Counters{}).read
	if _, err := r(epoch); err == nil {
		t.Error("primary usage without batch usage is read, want an error")
	}
}

func TestMemoryAndPressure(t *testing.T) {
	f := opened(t, tree(t, host))
	if u := after(t, f.memory, 0); u.Memory != 8000<<10 || u.MemoryFree != 3000<<10 {
		t.Errorf("memory = %+v, want 8000 KiB with 3000 free", u)
	}
	if u := after(t, f.pressure, 0); u.CPUPressure != 0.125 || u.MemPressure != 0.01 || u.IOPressure != 0.5 {
		t.Errorf("pressure = %+v, want 0.125 of CPU, 0.01 of memory, 0.5 of I/O", u)
	}
}

func TestKernelWithoutPressure(t *testing.T) {
	f := opened(t, tree(t, host, "proc/pressure"))
	if u := after(t, f.pressure, 0); u.CPUPressure+u.MemPressure+u.IOPressure != 0 {
		t.Errorf("pressure without its files = %+v, want 0", u)
	}
}

func TestDamagedFilesAreErrors(t *testing.T) {
	for _, c := range []struct {
		file, text string
		read       func(*files) read
	}{
		{"proc/meminfo", "MemTotal: 1 kB\n", func(f *files) read { return f.memory }},
		{"proc/stat", "cpu what is this\n", func(f *files) read { return newCPU(f, &Config{}, &Counters{}).read }},
		{"proc/stat", "intr 1\n", func(f *files) read { return newCPU(f, &Config{}, &Counters{}).read }},
		{"proc/pressure/io", "some avg10=x\n", func(f *files) read { return f.pressure }},
	} {
		root := tree(t, host)
		put(t, root, c.file, c.text)
		if _, err := c.read(opened(t, root))(epoch); err == nil {
			t.Errorf("read of %s = %q succeeded, want an error", c.file, c.text)
		}
	}
}

func TestDiskCountsWholeDevicesOnce(t *testing.T) {
	root := tree(t, host)
	r := newDisk(opened(t, root)).read
	after(t, r, 0)
	put(t, root, "proc/diskstats", diskstats(1000+100, 2000+400))
	if u := after(t, r, 2); u.DiskRead != 100*512/2 || u.DiskWrite != 400*512/2 {
		t.Errorf("read %v B/s, written %v B/s; want 25600 and 102400", u.DiskRead, u.DiskWrite)
	}
}

func TestNetCountsHardwareOnly(t *testing.T) {
	root := tree(t, host)
	r := newNet(opened(t, root)).read
	after(t, r, 0)
	put(t, root, "proc/net/dev", netDev(1000+500, 2000+700))
	if u := after(t, r, 1); u.NetIn != 500 || u.NetOut != 700 {
		t.Errorf("in %v B/s, out %v B/s; want 500 and 700", u.NetIn, u.NetOut)
	}
}

func TestNetInAContainerCountsAllButLoopback(t *testing.T) {
	root := tree(t, host, "sys/class")
	r := newNet(opened(t, root)).read
	after(t, r, 0)
	put(t, root, "proc/net/dev", netDev(1000+500, 2000+700))
	if u := after(t, r, 1); u.NetIn != 1000 || u.NetOut != 1400 {
		t.Errorf("in %v B/s, out %v B/s; want 1000 and 1400", u.NetIn, u.NetOut)
	}
}

func TestCountersThatFallAreNoTraffic(t *testing.T) {
	var m meter
	m.rates(epoch, map[string]counters{"a": {100, 100}, "b": {5, 5}})
	in, out, ok := m.rates(epoch.Add(time.Second), map[string]counters{"a": {3, 3}, "b": {6, 7}, "new": {900, 900}})
	if in != 1 || out != 2 || !ok {
		t.Errorf("in %v, out %v, %v; want 1, 2", in, out, ok)
	}
}

func TestSpaceOfThisDisk(t *testing.T) {
	if u := after(t, space(t.TempDir()), 0); u.DiskFree <= 0 {
		t.Errorf("free bytes of a temporary folder = %d, want above 0", u.DiskFree)
	}
	if _, err := space("/no/such/path")(epoch); err == nil {
		t.Error("space(/no/such/path) succeeded, want an error")
	}
}
