// Package doctor reports what a host offers, as `lull doctor` prints it: what its kernel can do for
// lull, how tasks are contained, and what else affects the primary's tail.
package doctor

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"lull/hostctl"
	"lull/hostctl/cgroup"
	"lull/hostctl/contain"
)

// Report is what a host is, for `lull doctor`.
type Report struct {
	Capabilities cgroup.Capabilities `json:"capabilities"`
	// Containment is what else holds tasks back.
	Containment []contain.Line `json:"containment"`
	// Kernel is what else bears on the primary's tail.
	Kernel     []Fact `json:"kernel"`
	Cores      int    `json:"cores"`
	Memory     int64  `json:"memory"`      // bytes of RAM
	MemoryFree int64  `json:"memory_free"` // bytes available
	Disk       string `json:"disk"`
	DiskFree   int64  `json:"disk_free"` // bytes free where Disk is
	// Pressure is the share of the last ten seconds (0–1) in which some task waited for cpu,
	// memory and io. It is empty where the kernel does not report pressure.
	Pressure map[string]float64 `json:"pressure"`
}

// Examine looks at the host below Root as an agent with this configuration
// would find it: Root, Data, Contain, TaskUser, SlotUIDBase and TaskWrite count.
func Examine(cfg hostctl.Config) (Report, error) {
	root, data := cmp.Or(cfg.Root, "/"), cfg.Data
	caps, err := cgroup.Detect(root)
	if err != nil {
		return Report{}, err
	}
	policy, err := contain.Choose(cfg.Contain, cfg.TaskUser, cfg.TaskWrite, nearest(data))
	if err != nil {
		return Report{}, err
	}
	if err := policy.PerSlot(cfg.SlotUIDBase, nearest(data)); err != nil {
		return Report{}, err
	}
	policy.Hide = contain.Resolve([]string{data})
	r := Report{Capabilities: caps, Containment: append(policy.Lines(), contain.SharedMemory()), Kernel: kernelFacts(root), Cores: runtime.NumCPU(), Disk: data, Pressure: map[string]float64{}}
	fs, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return r, fmt.Errorf("doctor: %w", err)
	}
	if info, err := fs.Meminfo(); err == nil && info.MemTotal != nil && info.MemAvailable != nil {
		r.Memory, r.MemoryFree = int64(*info.MemTotal)<<10, int64(*info.MemAvailable)<<10
	}
	for _, what := range resources {
		if psi, err := fs.PSIStatsForResource(what); err == nil && psi.Some != nil {
			r.Pressure[what] = psi.Some.Avg10 / 100
		}
	}
	r.DiskFree = freeBytes(data)
	return r, nil
}

var resources = []string{"cpu", "memory", "io"}

// freeBytes is the bytes free where a folder is, or will be.
func freeBytes(path string) int64 {
	var st unix.Statfs_t
	if unix.Statfs(nearest(path), &st) != nil {
		return 0
	}
	return int64(st.Bavail) * st.Bsize
}

// nearest is the nearest folder above that exists: the data folder may not
// have been made yet.
func nearest(path string) string {
	path, err := filepath.Abs(path)
	for ; err == nil && path != "/"; path = filepath.Dir(path) {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return "/"
}

// String is the report for people.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-14s %d\n", "cores", r.Cores)
	fmt.Fprintf(&b, "%-14s %.1f GB, %.1f GB available\n", "memory", gb(r.Memory), gb(r.MemoryFree))
	fmt.Fprintf(&b, "%-14s %.1f GB free in %s\n", "disk", gb(r.DiskFree), r.Disk)
	for _, what := range resources {
		if share, ok := r.Pressure[what]; ok {
			fmt.Fprintf(&b, "%-14s %.0f %% of the last 10 s\n", what+" stalls", 100*share)
		}
	}
	b.WriteString(r.Capabilities.String())
	for _, l := range r.Containment {
		tick(&b, l.Bound, l.Present, l.Text)
	}
	for _, f := range r.Kernel {
		tick(&b, f.What, f.Good, f.Text)
	}
	return b.String()
}

func tick(b *strings.Builder, what string, good bool, text string) {
	mark := "yes"
	if !good {
		mark = "no "
	}
	fmt.Fprintf(b, "%-14s %s  %s\n", what, mark, text)
}

func gb(bytes int64) float64 { return float64(bytes) / (1 << 30) }
