package trace

import (
	"io"
	"time"

	"lull/sim"
)

// HostOptions say what usage does not. The zero value is ready.
type HostOptions struct {
	// Cores and Memory (in bytes) are used for a host for which neither the file nor
	// Machines has them. They default to 2, and to 2 GiB a core.
	Cores  uint32
	Memory int64
	// Machines are hosts by series_id, as Machines reads them.
	Machines map[string]Machine
	// Take is how many series are read, from the first on. 0: all.
	Take int
	// From and Until bound the window that is read, on the file's clock. Until
	// 0: to the last sample.
	From, Until time.Duration
	// MaxMissing is the greatest share of a window's samples that a series may
	// lack. Defaults to 0.5.
	MaxMissing float64
	// SkipBad leaves bad rows out.
	SkipBad bool
	// each takes the series as they are read, in place of Pool.Hosts: see Usage.
	each func(Series)
}

// Pool is what Hosts found.
type Pool struct {
	// Hosts have a Load each: the cores that the primary uses. Behind the last
	// sample it begins anew (sim.Series).
	Hosts []sim.Host
	// IDs are the series_id of each of Hosts.
	IDs []string
	// Begin is the time of the first sample on the file's clock: the run's
	// zero. Every is the time between samples, Span that from the first to the
	// end of the last.
	Begin, Every, Span time.Duration
	// Clipped counts samples above 100 %, Filled those that were missing and
	// took the value before them. Skipped counts bad rows.
	Clipped, Filled, Skipped int
}

// Bounds of what a pool may be.
const (
	maxHosts   = 1_000_000
	maxSamples = 1 << 25 // of all series, 256 MB
	maxGrid    = 1 << 23 // of one series: three months of seconds
	// MaxCores is the number of cores that a host has at most.
	MaxCores = 4096
	maxMegs  = 1 << 26 // MiB: 64 TiB

	defaultCores  = 2
	memoryPerCore = 2 << 30
	// maxPercent is where a share of a host ends and another unit begins.
	// Virtual machines report up to 200 % for moments; 100 % is taken for them.
	maxPercent = 1000
)

// Hosts reads usage in either form. file names it in errors, which are of type
// *Error.
func Hosts(r io.Reader, file string, o HostOptions) (*Pool, error) {
	if o.MaxMissing == 0 {
		o.MaxMissing = 0.5
	}
	t, err := openTable(r, file)
	if err != nil {
		return nil, err
	}
	if err := t.unique(); err != nil {
		return nil, err
	}
	u := &usage{table: t, o: o, names: newNames(hostName), pool: &Pool{}, at: map[string]int{}}
	if err := u.read(); err != nil {
		return nil, err
	}
	if err := t.verdict(file, o.SkipBad); err != nil {
		return nil, err
	}
	if u.pool.Skipped = t.count; len(u.pool.Hosts) == 0 && len(u.at) == 0 {
		return nil, broken(file, 0, 0, "no series is left: it needs a line for each host")
	}
	return u.pool, nil
}

// usage is a file of hosts being read.
type usage struct {
	*table
	o     HostOptions
	names *names
	pool  *Pool
	at    map[string]int // line of each series

	id, cores, memory int // columns
	samples           int // held
}

func (u *usage) read() error {
	u.id, u.cores, u.memory = u.column("series_id"), u.column("cores"), u.column("memory_mb")
	if u.id < 0 {
		return broken(u.file, u.line, 1, "no column is called series_id: write %s, or %s", wideHeader, longHeader)
	}
	if u.column("t_seconds") >= 0 || u.column("cpu_pct") >= 0 {
		return u.long()
	}
	return u.wide()
}

const (
	wideHeader = "series_id,0,300,600 with the times of the samples in seconds"
	longHeader = "series_id,t_seconds,cpu_pct"
)
