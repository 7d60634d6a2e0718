package measure

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/prometheus/procfs"
)

// look is how long the machine is watched before it is measured.
const look = 300 * time.Millisecond

// quiet refuses a machine on which the figures would show what others do.
func (b *batch) quiet(ctx context.Context, cfg Config) error {
	if cfg.Busy {
		return nil
	}
	batchBefore, _, _ := b.tree.Usage()
	before, begin := idle(cfg.Root), time.Now()
	select {
	case <-time.After(look):
	case <-ctx.Done():
		return ctx.Err()
	}
	seconds := time.Since(begin).Seconds()
	batchAfter, _, _ := b.tree.Usage()
	if cores := (batchAfter - batchBefore) / seconds; cores > 0.1 {
		return fmt.Errorf("measure: batch work of lull uses %.1f cores now, so there is no alone to compare with: "+
			"pause the pool or drain this host first", cores)
	}
	if busy := float64(runtime.NumCPU()) - (idle(cfg.Root)-before)/seconds; busy > float64(runtime.NumCPU())/2 {
		return fmt.Errorf("measure: other programs use %.1f of %d cores now, so their noise would be measured: "+
			"try again when the machine is quieter", busy, runtime.NumCPU())
	}
	return nil
}

// idle returns the idle CPU seconds since boot, over all cores, or 0 where /proc/stat cannot be
// read.
func idle(root string) float64 {
	fs, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return 0
	}
	stat, err := fs.Stat()
	if err != nil {
		return 0
	}
	return stat.CPUTotal.Idle + stat.CPUTotal.Iowait
}
