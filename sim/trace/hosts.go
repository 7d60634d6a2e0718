package trace

import (
	"io"
	"time"

	"lull/sim"
)

// HostOptions say which part of a file of usage is read, and supply what the file lacks. The zero value is
// ready to use.
type HostOptions struct {
	// Cores and Memory (in bytes) are those of a host for which neither the file nor
	// Machines has them. They default to 2 cores, and to 2 GiB a core.
	Cores  uint32
	Memory int64
	// Machines are the machines of hosts by series_id, as the function Machines reads them.
	Machines map[string]Machine
	// Take is the number of series to read, from the first on. 0 means all.
	Take int
	// From and Until bound the window that is read, by the file's clock. Until 0
	// means to the last sample.
	From, Until time.Duration
	// MaxMissing is the greatest share of a window's samples that a series may
	// lack. Defaults to 0.5.
	MaxMissing float64
	// SkipBad leaves bad rows out. Without it, they make reading fail.
	SkipBad bool
	// each, if set, gets the series as they are read. Pool.Hosts then stays empty: see Usage.
	each func(Series)
}

// Pool is the hosts that the function Hosts has read.
type Pool struct {
	// Hosts have a Load each: the cores that the primary uses. After the last
	// sample the load starts over from the first (sim.Series).
	Hosts []sim.Host
	// IDs has the series_id of each of Hosts, in the same order.
	IDs []string
	// Begin is the time of the first sample by the file's clock. The simulation
	// starts there. Every is the time between samples, and Span the time from the
	// first sample to the end of the last.
	Begin, Every, Span time.Duration
	// Clipped counts samples above 100 %, which count as 100 %. Filled counts
	// missing samples, which take the value before them. Skipped counts bad rows
	// that were left out.
	Clipped, Filled, Skipped int
}

// Limits on the size of a pool, and defaults for its hosts.
const (
	maxHosts   = 1_000_000
	maxSamples = 1 << 25 // of all series, 256 MB
	maxGrid    = 1 << 23 // samples of one series: three months of seconds
	// MaxCores is the number of cores that a host has at most.
	MaxCores = 4096
	maxMegs  = 1 << 26 // MiB: 64 TiB

	defaultCores  = 2
	memoryPerCore = 2 << 30
	// maxPercent is the greatest value that can be a percentage of a host.
	// Greater ones must be in another unit. Virtual machines report up to 200 %
	// for moments, which counts as 100 %.
	maxPercent = 1000
)

// Hosts reads the usage of hosts, in the wide form (a row for each series) or the long form (a row for
// each sample). Errors name file, and are of type *Error.
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
		return nil, fileError(file, 0, 0, "no series is left: it needs a line for each host")
	}
	return u.pool, nil
}

// usage is a file of the hosts' usage that is being read.
type usage struct {
	*table
	o     HostOptions
	names *names
	pool  *Pool
	at    map[string]int // line of each series

	id, cores, memory int // columns
	samples           int // number held in memory
}

// read finds the columns, and by them which form the file has.
func (u *usage) read() error {
	u.id, u.cores, u.memory = u.column("series_id"), u.column("cores"), u.column("memory_mb")
	if u.id < 0 {
		return fileError(u.file, u.line, 1, "no column is called series_id: write %s, or %s", wideHeader, longHeader)
	}
	if u.column("t_seconds") >= 0 || u.column("cpu_pct") >= 0 {
		return u.readLong()
	}
	return u.readWide()
}

const (
	wideHeader = "series_id,0,300,600 with the times of the samples in seconds"
	longHeader = "series_id,t_seconds,cpu_pct"
)
