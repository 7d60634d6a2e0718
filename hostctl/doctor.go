package hostctl

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"lull/hostctl/cgroup"
)

// Report is what a host is, for `lull doctor`.
type Report struct {
	Capabilities cgroup.Capabilities
	Cores        int
	Memory       int64 // bytes of RAM
	MemoryFree   int64 // bytes available
	Disk         string
	DiskFree     int64 // bytes free where Disk is
	// Pressure is the share of the last ten seconds (0–1) in which some task
	// waited for cpu, memory and io; empty where the kernel does not tell.
	Pressure map[string]float64
}

// Doctor looks at the host below root, and at the disk of a data folder.
func Doctor(root, data string) (Report, error) {
	caps, err := cgroup.Detect(root)
	if err != nil {
		return Report{}, err
	}
	r := Report{Capabilities: caps, Cores: runtime.NumCPU(), Disk: data, Pressure: map[string]float64{}}
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
	r.DiskFree = free(data)
	return r, nil
}

var resources = []string{"cpu", "memory", "io"}

// free looks at the nearest folder above that exists: the data folder may not
// have been made yet.
func free(path string) int64 {
	path, err := filepath.Abs(path)
	for ; err == nil; path = filepath.Dir(path) {
		var st unix.Statfs_t
		if unix.Statfs(path, &st) == nil {
			return int64(st.Bavail) * st.Bsize
		}
		if path == "/" {
			break
		}
	}
	return 0
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
	return b.String() + r.Capabilities.String()
}

func gb(bytes int64) float64 { return float64(bytes) / (1 << 30) }
