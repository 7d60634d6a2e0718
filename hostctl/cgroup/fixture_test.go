package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// host is a host's files for a test, by path; a path that ends with a slash is
// a folder.
type host map[string]string

// build makes the files below a folder of the test, which stands for "/".
func (h host) build(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	for path, text := range h {
		full := filepath.Join(root, path)
		if strings.HasSuffix(path, "/") {
			mustDo(t, os.MkdirAll(full, 0o755))
			continue
		}
		mustDo(t, os.MkdirAll(filepath.Dir(full), 0o755))
		mustDo(t, os.WriteFile(full, []byte(text), 0o644))
	}
	return root
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mounted adds a hierarchy with the files that the kernel would show in the
// group of lull, of the agent "a" and of its slot 0.
func (h host) mounted(line, point string, files ...string) host {
	h["proc/self/mountinfo"] += line + "\n"
	for _, group := range []string{"lull", "lull/a", "lull/a/slot-0"} {
		h[point+"/"+group+"/"] = ""
		for _, f := range files {
			name, text, _ := strings.Cut(f, "=")
			h[point+"/"+group+"/"+name] = text
		}
		h[point+"/"+group+"/cgroup.procs"] = ""
	}
	return h
}

// v1 adds one hierarchy for each controller.
func (h host) v1(controller string, files ...string) host {
	point := "/sys/fs/cgroup/" + controller
	line := fmt.Sprintf("33 32 0:%d / %s rw,relatime shared:9 - cgroup cgroup rw,%s", 30+len(controller)+int(controller[0]), point, controller)
	return h.mounted(line, point, files...)
}

func noCgroups() host {
	return host{"proc/self/mountinfo": "23 1 0:21 / /proc rw - proc proc rw\n"}
}

func v1Host() host {
	return noCgroups().
		with("sys/devices/system/cpu/online", "0-3,8\n").
		v1("cpu", "cpu.idle=0", "cpu.shares=1024", "cpu.cfs_quota_us=-1", "cpu.cfs_period_us=100000",
			"cpu.stat=nr_periods 9\nnr_throttled 4\nthrottled_time 2500000000\n").
		v1("cpuacct", "cpuacct.usage=2500000000").
		v1("memory", "memory.limit_in_bytes=-1", "memory.memsw.limit_in_bytes=-1", "memory.usage_in_bytes=4096", "memory.soft_limit_in_bytes=-1",
			"memory.oom_control=oom_kill_disable 0\nunder_oom 0\noom_kill 3\n").
		v1("freezer", "freezer.state=THAWED").
		v1("pids", "pids.max=max").
		v1("cpuset", "cpuset.cpus=", "cpuset.mems=").
		v1("blkio", "blkio.throttle.read_bps_device=", "blkio.throttle.write_bps_device=").
		with("/sys/fs/cgroup/cpuset/cpuset.effective_cpus", "0-3,8\n").
		with("/sys/fs/cgroup/cpuset/cpuset.effective_mems", "0\n")
}

// with adds a file.
func (h host) with(path, text string) host {
	h[path] = text
	return h
}

const unifiedCore = "cgroup.freeze=0|cgroup.events=populated 0\nfrozen 0\n|cgroup.kill=|cgroup.subtree_control=|" +
	"cpu.stat=usage_usec 1500000\nuser_usec 1\nthrottled_usec 500000\n|cpu.pressure=some avg10=1.50 avg60=0.25 avg300=0.00 total=42\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"

func (h host) unified(point string, more ...string) host {
	files := append(strings.Split(unifiedCore, "|"), more...)
	return h.mounted("35 24 0:30 / "+point+" rw,nosuid - cgroup2 cgroup2 rw,nsdelegate", point, files...)
}

func hybridHost() host { return v1Host().unified("/sys/fs/cgroup/unified") }

func v2Host() host {
	h := noCgroups().unified("/sys/fs/cgroup", "cpu.idle=0", "cpu.weight=100", "cpu.max=max 100000", "memory.max=max", "memory.high=max", "memory.reclaim=",
		"cpuset.cpus=", "io.max=",
		"memory.swap.max=max", "memory.oom.group=0", "memory.current=8192", "memory.events=low 0\noom 2\noom_kill 2\n", "pids.max=max")
	h["/sys/fs/cgroup/cgroup.subtree_control"] = ""
	h["/sys/fs/cgroup/cpuset.cpus.effective"] = "0-3,8\n"
	h["sys/devices/system/cpu/online"] = "0-3,8\n"
	h["proc/pressure/cpu"] = "some avg10=0.10 avg60=0.20 avg300=0.30 total=99\n"
	h["proc/sys/kernel/sched_autogroup_enabled"] = "1\n"
	return h
}
