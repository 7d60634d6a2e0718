package monitor

import (
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/monitor/record"
	"lull/monitor/usual"
	"lull/subjects"
)

// Batch measures what lull's tasks use, for example from the cgroup that contains them all.
type Batch interface {
	// Usage returns the CPU seconds used since a fixed moment and the bytes of
	// memory in use now. A counter that falls is taken for a new one.
	Usage() (cpuSeconds float64, memory int64, err error)
}

// Guard reports the limits on batch work.
type Guard interface {
	// Guarded returns the cores that batch work may use, the reason if they are not all cores (else
	// ""), and the delay that batch work may cause the primary, in seconds per CPU second that the
	// primary uses.
	Guarded() (cores float64, why string, budget float64)
}

// Config of a monitor. Host and Publish must be set.
type Config struct {
	Host string // the host's token in subjects
	// Publish takes each sample; it runs between samples and should not wait.
	Publish func(subjects.Usage)
	// Batch measures batch work. If nil, all use is the primary's.
	Batch Batch
	// Own returns the CPU seconds that lull's own process has used, which are not the primary's.
	// If nil, these count as the primary's.
	Own func() float64
	// Waits measures how long the primary's threads wait for a CPU. If nil, samples do not have that.
	Waits Waits
	// Counters total what batch work used and what it delayed. Defaults to counters that only the
	// monitor sees.
	Counters *Counters
	// Usual is what the host left idle in the last week. Defaults to an empty one. The monitor
	// calls Keep with its encoding every ten minutes and at the end. Keep must not wait; nil if
	// nothing is to be kept.
	Usual *usual.Idle
	Keep  func([]byte)
	// Record takes each sample of two minutes, and at the end the last one, which may be
	// shorter. It must not wait; nil if nothing is to be kept.
	Record func(record.Sample)
	// Guard is what limits batch work to protect the primary. Nil for none.
	Guard Guard
	// Root is the folder that holds proc and sys. Defaults to "/".
	Root string
	// DiskPath is a path on the disk where lull keeps outputs. Defaults to Root.
	DiskPath string
	// Every is the time between samples. Defaults to one second.
	Every time.Duration
	// Grace is how long a sample waits for new readings of its sources. A source that takes longer
	// contributes its reading before. Defaults to a twentieth of Every.
	Grace time.Duration
	// Logger gets a line when a source fails or hangs, and when it works again. Defaults to none.
	Logger *slog.Logger
	// Registerer takes the gauges. Defaults to none.
	Registerer prometheus.Registerer
}

// complete sets the defaults and checks the rest.
func (c *Config) complete() error {
	if c.Publish == nil {
		return errors.New("monitor: Publish is nil: say where samples go")
	}
	if c.Root == "" {
		c.Root = "/"
	}
	if c.DiskPath == "" {
		c.DiskPath = c.Root
	}
	if c.Counters == nil {
		c.Counters = &Counters{}
	}
	if c.Usual == nil {
		c.Usual = new(usual.Idle)
	}
	if c.Every <= 0 {
		c.Every = time.Second
	}
	if c.Grace <= 0 {
		c.Grace = c.Every / 20
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return subjects.CheckToken("host", c.Host)
}
