package monitor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/blockdevice"

	"lull/subjects"
)

// files are the kernel's, under a root.
type files struct {
	root  string
	proc  procfs.FS
	block blockdevice.FS
}

func openFiles(root string) (*files, error) {
	proc, sys := filepath.Join(root, "proc"), filepath.Join(root, "sys")
	p, err := procfs.NewFS(proc)
	if err != nil {
		return nil, fmt.Errorf("monitor: %s is not readable: mount proc there: %w", proc, err)
	}
	b, err := blockdevice.NewFS(proc, sys)
	if err != nil {
		return nil, fmt.Errorf("monitor: %s is not readable: mount sysfs there: %w", sys, err)
	}
	return &files{root, p, b}, nil
}

// memory reads MemTotal and MemAvailable.
func (f *files) memory(time.Time) (func(*subjects.Usage), error) {
	info, err := f.proc.Meminfo()
	if err != nil {
		return nil, err
	}
	if info.MemTotalBytes == nil || info.MemAvailableBytes == nil {
		return nil, errors.New("meminfo has no MemTotal or no MemAvailable")
	}
	total, free := int64(*info.MemTotalBytes), int64(*info.MemAvailableBytes)
	return func(u *subjects.Usage) { u.Memory, u.MemoryFree = total, free }, nil
}

// pressure reads the stall shares of the last ten seconds. A kernel without
// PSI has none, and that is no failure: the fields stay zero.
func (f *files) pressure(time.Time) (func(*subjects.Usage), error) {
	var some [3]float64
	for i, resource := range [3]string{"cpu", "memory", "io"} {
		psi, err := f.proc.PSIStatsForResource(resource)
		switch {
		// Switched off on the kernel's command line, the files may be there and refuse.
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EOPNOTSUPP):
		case err != nil:
			return nil, err
		case psi.Some != nil:
			some[i] = psi.Some.Avg10 / 100
		}
	}
	return func(u *subjects.Usage) { u.CPUPressure, u.MemPressure, u.IOPressure = some[0], some[1], some[2] }, nil
}

// has reports whether sys/… exists.
func (f *files) has(path ...string) bool {
	_, err := os.Stat(filepath.Join(append([]string{f.root, "sys"}, path...)...))
	return err == nil
}
