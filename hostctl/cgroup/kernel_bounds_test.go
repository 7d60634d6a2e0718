package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// needs skips a test on a host without the capability.
func needs(t *testing.T, m Mechanism) {
	t.Helper()
	if !m.OK() {
		t.Skip("needs a cgroup mechanism that this host has not")
	}
}

func TestCapOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		needs(t, tree.caps.Cap)
		const cores = 0.1
		mustDo(t, slot.SetCap(cores))
		spawn(t, slot, `echo; while :; do :; done`)
		begin := time.Now()
		first, _, err := slot.Usage()
		mustDo(t, err)
		var held float64
		waitFor(t, "the task to be throttled", func() bool {
			held, err = slot.Throttled()
			mustDo(t, err)
			return held > 0.2 || time.Since(begin) > 4*time.Second
		})
		used, _, err := slot.Usage()
		mustDo(t, err)
		if held == 0 && used-first < cores*time.Since(begin).Seconds()/2 {
			t.Skip("needs a machine that leaves the task enough CPU to meet its cap")
		}
		// The kernel counts ticks: 4 ms may go by before it notices.
		if most := cores*time.Since(begin).Seconds()*1.5 + 0.02; used-first > most {
			t.Errorf("CPU used = %.3f s, want at most %.3f s", used-first, most)
		}
		if held == 0 {
			t.Error("time throttled = 0, want some")
		}
		mustDo(t, slot.SetCap(0))
		mustDo(t, slot.Kill(briefly(t)))
	})
}

// affinity lists the cores that a process may use.
func affinity(t *testing.T, pid int) (cpus []int) {
	t.Helper()
	var set unix.CPUSet
	mustDo(t, unix.SchedGetaffinity(pid, &set))
	for n := range 1024 {
		if set.IsSet(n) {
			cpus = append(cpus, n)
		}
	}
	return cpus
}

func TestSetCoresOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		needs(t, tree.caps.Cores)
		cmd := spawn(t, slot, `echo; exec sleep 1000`)
		all, err := usableCores(tree.caps.Cores)
		mustDo(t, err)
		mustDo(t, tree.SetCores(1))
		if got := affinity(t, cmd.Process.Pid); list(got) != list(all[len(all)-1:]) {
			t.Errorf("kept to %v, want the last of %v", got, all)
		}
		mustDo(t, tree.SetCores(len(all)))
		if got := affinity(t, cmd.Process.Pid); list(got) != list(all) {
			t.Errorf("afterwards %v, want %v", got, all)
		}
		mustDo(t, slot.Kill(briefly(t)))
	})
}

// The test does not assume what the class is at its start: other agents share the parent.
func TestSetIdleOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, _ *Slot) {
		needs(t, tree.caps.Idle)
		mustDo(t, errors.Join(tree.SetIdle(false), tree.SetIdle(false), tree.SetIdle(true), tree.SetIdle(true)))
	})
}

func TestReclaimOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		needs(t, tree.caps.Reclaim)
		file := filepath.Join(t.TempDir(), "cached")
		cmd := spawn(t, slot, `dd if=/dev/zero of=`+file+` bs=1M count=48 conv=fsync 2>&-; echo; exec sleep 1000`)
		before, err := tree.held()
		mustDo(t, err)
		if before < 40<<20 {
			t.Skipf("needs a folder whose files are in the page cache: it has %d bytes of them", before)
		}
		mustDo(t, errors.Join(tree.SetMemoryHigh(1<<30), tree.SetMemoryHigh(0), tree.Reclaim(32<<20)))
		after, err := tree.held()
		mustDo(t, err)
		if after > before-24<<20 {
			t.Errorf("bytes after reclaiming 32 MB = %d, before %d, want at least 24 MiB less", after, before)
		}
		if err := tree.Reclaim(1 << 40); err != nil && !errors.Is(err, ErrHeld) {
			t.Errorf("Reclaim(more than there is) = %v, want ErrHeld or no error", err)
		}
		mustDo(t, unix.Kill(cmd.Process.Pid, 0)) // the process is still there
		mustDo(t, slot.Kill(briefly(t)))
	})
}

// held is the bytes that the agent's own groups hold.
func (t *Tree) held() (int64, error) {
	_, bytes, err := t.caps.usage(t.in)
	return bytes, err
}

func TestSetDiskOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		needs(t, tree.caps.DiskCap)
		folder := t.TempDir()
		var st unix.Stat_t
		mustDo(t, unix.Stat(folder, &st))
		if unix.Major(st.Dev) == 0 {
			t.Skipf("needs a disk below %s", folder)
		}
		mustDo(t, tree.Disk(folder))
		file := filepath.Join(folder, "data")
		mustDo(t, os.WriteFile(file, make([]byte, 4<<20), 0o644))
		mustDo(t, tree.SetDisk(8<<20))
		begin := time.Now()
		spawn(t, slot, `dd if=`+file+` of=/dev/null bs=1M iflag=direct 2>&-; echo; exec sleep 1000`)
		if took := time.Since(begin); took < 300*time.Millisecond {
			t.Errorf("4 MB at 8 MB/s were read in %v, want at least 300ms", took)
		}
		mustDo(t, tree.SetDisk(0))
		mustDo(t, slot.Kill(briefly(t)))
	})
}

// What a dead agent left is lifted below what runs on.
func TestOpenLiftsOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		needs(t, tree.caps.Cap)
		needs(t, tree.caps.Cores)
		cmd := spawn(t, slot, `echo; exec sleep 1000`)
		mustDo(t, errors.Join(slot.SetCap(0.1), tree.SetCores(1), tree.SetMemoryHigh(1<<20)))
		_, err := Open(tree.caps, tree.name)
		mustDo(t, err)
		quota, err := os.ReadFile(filepath.Join(string(slot.in(tree.caps.Cap)), tree.caps.Cap.File))
		mustDo(t, err)
		if got := strings.TrimSpace(string(quota)); got != "-1" && !strings.HasPrefix(got, "max") {
			t.Errorf("quota = %q, want no cap", got)
		}
		if got := affinity(t, cmd.Process.Pid); len(got) != tree.caps.CPUs {
			t.Errorf("affinity = %v, want all %d cores", got, tree.caps.CPUs)
		}
		mustDo(t, slot.Kill(briefly(t)))
	})
}
