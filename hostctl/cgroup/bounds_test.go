package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestCap(t *testing.T) {
	for _, c := range []struct {
		cores       float64
		v2, v1, per string
	}{
		{1.5, "30000 20000", "30000", "20000"},
		{0.05, "1000 20000", "1000", "20000"},
		{0.01, "1000 100000", "1000", "100000"},       // longer, or it would be 0.05
		{1e-9, "1000 1000000", "1000", "1000000"},     // the least there is
		{0, "max 20000", "-1", "20000"},               // lifted
		{-1, "max 20000", "-1", "20000"},              //
		{5, "max 20000", "-1", "20000"},               // all five cores
		{4.999999, "99999 20000", "99999", "20000"},   // nearly
		{nan(), "max 20000", "-1", "20000"},           // no number is no cap
		{0.3333333333, "6666 20000", "6666", "20000"}, //
	} {
		_, slot, file := opened(t, v2Host())
		mustDo(t, slot.SetCap(c.cores))
		if got := file("lull/a/slot-0/cpu.max"); got != c.v2 {
			t.Errorf("%v cores, v2: %q, want %q", c.cores, got, c.v2)
		}
		_, slot, file = opened(t, v1Host())
		mustDo(t, slot.SetCap(c.cores))
		quota, period := file("cpu/lull/a/slot-0/cpu.cfs_quota_us"), file("cpu/lull/a/slot-0/cpu.cfs_period_us")
		if quota != c.v1 || period != c.per {
			t.Errorf("%v cores, v1: %q of %q, want %q of %q", c.cores, quota, period, c.v1, c.per)
		}
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

func TestThrottled(t *testing.T) {
	for _, c := range []struct {
		host host
		want float64
	}{{v1Host(), 2.5}, {v2Host(), 0.5}, {hybridHost(), 2.5}} {
		_, slot, _ := opened(t, c.host)
		if got, err := slot.Throttled(); got != c.want || err != nil {
			t.Errorf("%v s, %v; want %v s", got, err, c.want)
		}
	}
}

func TestSetIdle(t *testing.T) {
	tree, _, file := opened(t, v1Host())
	mustDo(t, tree.SetIdle(false))
	if got := file("cpu/lull/cpu.idle") + " " + file("cpu/lull/cpu.shares"); got != "0 2" {
		t.Errorf("v1 raised: %q, want the smallest weight outside the idle class", got)
	}
	mustDo(t, tree.SetIdle(true))
	if got := file("cpu/lull/cpu.idle"); got != "1" {
		t.Errorf("v1: cpu.idle = %q, want 1", got)
	}
	tree, _, file = opened(t, v2Host())
	mustDo(t, tree.SetIdle(false))
	if got := file("lull/cpu.idle") + " " + file("lull/cpu.weight"); got != "0 1" {
		t.Errorf("v2 raised: cpu.idle, cpu.weight = %q, want 0 1", got)
	}
}

func TestSetCores(t *testing.T) {
	v1, _, old := opened(t, v1Host())
	v2, _, file := opened(t, v2Host())
	for _, c := range []struct {
		n    int
		want string
	}{{1, "8"}, {2, "3,8"}, {4, "1,2,3,8"}, {0, "8"}, {-3, "8"}, {5, "0,1,2,3,8"}, {99, "0,1,2,3,8"}} {
		mustDo(t, errors.Join(v1.SetCores(c.n), v2.SetCores(c.n)))
		if got := old("cpuset/lull/a/cpuset.cpus"); got != c.want {
			t.Errorf("v1, %d cores: %q, want %q", c.n, got, c.want)
		}
		if got := strings.TrimSpace(file("lull/a/cpuset.cpus")); got != c.want {
			t.Errorf("v2, %d cores: %q, want %q", c.n, got, c.want)
		}
	}
	if got := old("cpuset/lull/cpuset.cpus") + " " + old("cpuset/lull/cpuset.mems") + " " + old("cpuset/lull/a/cpuset.mems"); got != "0,1,2,3,8 0 0" {
		t.Errorf("v1: cpuset above the agent's = %q, want all cores and node 0", got)
	}
}

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string]string{"0-3,8\n": "0,1,2,3,8", "\n": "", "7": "7", "0,2-2": "0,2"} {
		if got, err := parseCPUs(strings.NewReader(text)); list(got) != want || err != nil {
			t.Errorf("parseCPUs(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"x", "1-", "-1", "0-70000", strings.Repeat("0-65535,", 9)} {
		if got, err := parseCPUs(strings.NewReader(text)); err == nil {
			t.Errorf("parseCPUs(%q) = %d CPUs, want an error", text[:min(len(text), 10)], len(got))
		}
	}
}

func TestMemoryHighAndReclaim(t *testing.T) {
	tree, _, file := opened(t, v2Host())
	mustDo(t, errors.Join(tree.SetMemoryHigh(1<<20), tree.Reclaim(4096), tree.Reclaim(0), tree.Reclaim(-1)))
	if got := file("lull/a/memory.high") + " " + file("lull/a/memory.reclaim"); got != "1048576 4096" {
		t.Errorf("v2: memory.high, memory.reclaim = %q, want 1048576 4096", got)
	}
	tree, _, file = opened(t, v1Host())
	mustDo(t, errors.Join(tree.SetMemoryHigh(1<<20), tree.Reclaim(4096)))
	if got := file("memory/lull/a/memory.soft_limit_in_bytes") + " " + file("memory/lull/a/memory.limit_in_bytes"); got != "1048576 -1" {
		t.Errorf("v1: %q, want a soft limit, and no other left behind", got)
	}
}

// disked gives a host of files the disk that a folder of this machine is on, as
// partition 1 of disk 7:0.
func disked(t *testing.T, h host, folder string) host {
	t.Helper()
	var st unix.Stat_t
	mustDo(t, unix.Stat(folder, &st))
	if unix.Major(st.Dev) == 0 {
		t.Skipf("needs a disk below %s", folder)
	}
	const at = "sys/devices/disk/part/"
	return h.with("sys/devices/disk/dev", "7:0\n").with(at+"dev", deviceName(st.Dev)).with(at+"partition", "1\n")
}

func deviceName(dev uint64) string {
	return strings.Join([]string{itoa(unix.Major(dev)), itoa(unix.Minor(dev))}, ":")
}

func itoa(n uint32) string { return list([]int{int(n)}) }

func TestSetDisk(t *testing.T) {
	folder := t.TempDir()
	for version, h := range map[int]host{1: v1Host(), 2: v2Host()} {
		tree, _, file := opened(t, disked(t, h, folder))
		if err := tree.SetDisk(1 << 20); !errors.Is(err, ErrAbsent) {
			t.Errorf("v%d: SetDisk without a disk = %v, want ErrAbsent", version, err)
		}
		if err := tree.Disk(folder); err == nil {
			t.Errorf("v%d: Disk(a folder on no device) = nil, want an error", version)
		}
		root := tree.caps.Root
		mustDo(t, os.MkdirAll(filepath.Join(root, "sys/dev/block"), 0o755))
		var st unix.Stat_t
		mustDo(t, unix.Stat(folder, &st))
		mustDo(t, os.Symlink("../../devices/disk/part", filepath.Join(root, "sys/dev/block", deviceName(st.Dev))))
		mustDo(t, tree.Disk(folder))
		bounds := func() string {
			if version == 2 {
				return file("lull/a/io.max")
			}
			return file("blkio/lull/a/blkio.throttle.read_bps_device") + "|" + file("blkio/lull/a/blkio.throttle.write_bps_device")
		}
		for _, rate := range []int64{1 << 20, 0} {
			mustDo(t, tree.SetDisk(rate))
			want := map[bool]string{
				version == 1 && rate > 0: "7:0 1048576|7:0 1048576", version == 1 && rate == 0: "7:0 0|7:0 0",
				version == 2 && rate > 0: "7:0 rbps=1048576 wbps=1048576", version == 2 && rate == 0: "7:0 rbps=max wbps=max",
			}[true]
			if got := bounds(); got != want {
				t.Errorf("v%d, %d bytes/s: %q, want %q", version, rate, got, want)
			}
		}
	}
}

func TestMountedFrom(t *testing.T) {
	const mounts = `1 0 0:1 / / rw - btrfs /dev/sda2 rw
2 1 0:1 /x /data rw shared:1 - btrfs /dev/sdb rw
3 2 0:5 / /data/t\040mp rw - tmpfs tmpfs rw
4 1 0:6 / /data rw - btrfs /dev/sdc rw
short - line
`
	for path, want := range map[string]string{
		"/etc": "/dev/sda2", "/database": "/dev/sda2", "/data": "/dev/sdc", "/data/d": "/dev/sdc", "/data/t mp/x": "tmpfs",
	} {
		if got := mountedFrom(mounts, path); got != want {
			t.Errorf("%s is mounted from %q, want %q", path, got, want)
		}
	}
	if got := mountedFrom("", "/"); got != "" {
		t.Errorf("mountedFrom(no mounts) = %q, want none", got)
	}
}

// An agent that died may have left anything behind; the next one, and the end
// of an agent, make it good.
func TestOpenAndRemoveLiftWhatWasLeft(t *testing.T) {
	for version, h := range map[int]host{1: v1Host(), 2: v2Host()} {
		left := map[int]map[string]string{
			1: {"cpu/lull/cpu.idle": "0", "cpu/lull/a/slot-0/cpu.cfs_quota_us": "1000", "cpuset/lull/a/cpuset.cpus": "8",
				"memory/lull/a/memory.soft_limit_in_bytes": "1", "memory/lull/a/memory.limit_in_bytes": "4096",
				"blkio/lull/a/blkio.throttle.read_bps_device": "7:0 1\n", "blkio/lull/a/blkio.throttle.write_bps_device": "7:0 2\n"},
			2: {"lull/cpu.idle": "0", "lull/a/slot-0/cpu.max": "1000 20000", "lull/a/cpuset.cpus": "8",
				"lull/a/memory.high": "1", "lull/a/io.max": "7:0 rbps=1 wbps=2 riops=max wiops=max\n"},
		}[version]
		neutral := map[int]map[string]string{
			1: {"cpu/lull/cpu.idle": "1", "cpu/lull/a/slot-0/cpu.cfs_quota_us": "-1", "cpuset/lull/a/cpuset.cpus": "0,1,2,3,8",
				"memory/lull/a/memory.soft_limit_in_bytes": "-1", "memory/lull/a/memory.limit_in_bytes": "-1",
				"blkio/lull/a/blkio.throttle.read_bps_device": "7:0 0", "blkio/lull/a/blkio.throttle.write_bps_device": "7:0 0"},
			2: {"lull/cpu.idle": "1", "lull/a/slot-0/cpu.max": "max 20000", "lull/a/cpuset.cpus": "0,1,2,3,8",
				"lull/a/memory.high": "max", "lull/a/io.max": "7:0 rbps=max wbps=max"},
		}[version]
		for path, text := range left {
			h.with("/sys/fs/cgroup/"+path, text)
		}
		tree, _, file := opened(t, h)
		check := func(when string) {
			for path, want := range neutral {
				if got := file(path); got != want {
					t.Errorf("v%d, %s: %s is %q, want %q", version, when, path, got, want)
				}
			}
		}
		check("opened")
		for path, text := range left {
			mustDo(t, os.WriteFile(filepath.Join(tree.caps.Root, "sys/fs/cgroup", path), []byte(text), 0o644))
		}
		mustDo(t, tree.reset())
		check("left")
	}
}

// A v1 cpuset mounted with another controller would need its cores set in each slot's group before
// a process could join. Detect leaves it out and notes that.
func TestSharedGroupsNeedAHierarchyOfTheirOwn(t *testing.T) {
	h := noCgroups().v1("cpu", "cpu.idle=0", "cpuset.cpus=", "cpuset.mems=")
	caps := detect(t, h)
	if caps.Cores.OK() || !caps.Idle.OK() || len(caps.Notes) != 1 || !strings.Contains(caps.Notes[0], "cpuset.cpus") {
		t.Errorf("cores %v, idle %v, notes %q, want no cores, idle and a note on cpuset.cpus", caps.Cores, caps.Idle, caps.Notes)
	}
	h = noCgroups().v1("cpuset", "cpuset.cpus=", "cpuset.mems=")
	if caps := detect(t, h); caps.Cores.OK() {
		t.Error("cores = true with a cpuset alone, want false: it tells no slot from another")
	}
}
