package monitor

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/prometheus/procfs"

	"lull/subjects"
)

// idleWindow is the time over which Usage.Idle is averaged. With a shorter one, the pause between
// two requests of the primary would attract a task.
const idleWindow = 10 * time.Second

// cpu reads the host's and the batch work's CPU time.
type cpu struct {
	files    *files
	batch    Batch          // nil: batch work counts as the primary's
	own      func() float64 // CPU seconds of lull's own process; nil: they count as the primary's
	counters *Counters
	// past holds readings, oldest first, back to idleWindow before the latest.
	past []cpuReading
	// epoch increases when the counter of batch work begins anew.
	epoch int
	// latest is the last reading, for the monitor's loop.
	latest atomic.Pointer[cpuReading]
}

// cpuReading holds counters, in CPU seconds.
type cpuReading struct {
	at          time.Time
	cores       int
	busy, batch float64 // busy without lull's own process
	batchMemory int64
	epoch       int // readings of two epochs cannot be compared
}

func newCPU(f *files, config *Config, counters *Counters) *cpu {
	return &cpu{files: f, batch: config.Batch, own: config.Own, counters: counters}
}

// read takes a reading. It returns a function that writes the cores used since the reading before, and
// those idle on average, to a sample; nil before the second reading.
func (c *cpu) read(now time.Time) (func(*subjects.Usage), error) {
	reading, err := c.takeReading(now)
	if err != nil {
		return nil, err
	}
	c.remember(reading)
	reading.epoch = c.epoch
	c.latest.Store(&reading)
	if len(c.past) < 2 {
		return nil, nil
	}
	previous := c.past[len(c.past)-2]
	primary, batch := reading.since(previous)
	seconds := reading.at.Sub(previous.at).Seconds()
	c.counters.used(primary*seconds, batch*seconds)
	average, _ := reading.since(c.past[0])
	idle := max(float64(reading.cores)-average, 0)
	return func(u *subjects.Usage) {
		u.Cores, u.Primary, u.Batch, u.Idle = uint32(reading.cores), primary, batch, idle
		u.MemoryBatch = reading.batchMemory
	}, nil
}

func (c *cpu) takeReading(now time.Time) (cpuReading, error) {
	stat, err := c.files.proc.Stat()
	if err != nil {
		return cpuReading{}, err
	}
	r := cpuReading{at: now, cores: len(stat.CPU), busy: busySeconds(stat.CPUTotal)}
	if r.cores == 0 {
		return r, fmt.Errorf("%s/proc/stat lists no CPU", c.files.root)
	}
	if c.own != nil {
		r.busy -= c.own()
	}
	if c.batch != nil {
		if r.batch, r.batchMemory, err = c.batch.Usage(); err != nil {
			return r, fmt.Errorf("usage of batch work: %w", err)
		}
	}
	return r, nil
}

// busySeconds returns the CPU seconds in which the host worked. It leaves out steal and
// iowait, in which the host does nothing, and guest time, which the kernel already counts
// as user and nice time.
func busySeconds(s procfs.CPUStat) float64 {
	return s.User + s.Nice + s.System + s.IRQ + s.SoftIRQ
}

// remember appends a reading and drops old ones, but keeps one of at least idleWindow ago. If the
// counter of batch work fell, it is that of a new cgroup, and earlier readings cannot be compared.
func (c *cpu) remember(r cpuReading) {
	if n := len(c.past); n > 0 && r.batch < c.past[n-1].batch {
		c.past = c.past[:0]
		c.epoch++
	}
	for len(c.past) > 1 && r.at.Sub(c.past[1].at) >= idleWindow {
		c.past = append(c.past[:0], c.past[1:]...)
	}
	c.past = append(c.past, r)
}

// since returns how many cores the primary and batch work used on average since an earlier
// reading. The host's counters tick in hundredths of a second and the batch's are exact, so the
// primary's difference can be a little below zero, which counts as zero.
func (r cpuReading) since(past cpuReading) (primary, batch float64) {
	seconds := r.at.Sub(past.at).Seconds()
	if seconds <= 0 {
		return 0, 0
	}
	batch = max(r.batch-past.batch, 0) / seconds
	return max((r.busy-past.busy)/seconds-batch, 0), batch
}
