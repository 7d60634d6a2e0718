package past

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"

	"lull/cmd/lull/importer"
	"lull/sim/trace"
)

// source is a file with the usage of hosts, and flags for what the file does not say.
type source struct {
	path              string
	tenants, machines string // files
	start, unit       string
	cores             uint32
	skipBad           bool
}

func (s *source) flags(f *pflag.FlagSet) {
	f.StringVar(&s.tenants, "tenants", "", "CSV file with host,tenant: the owners of hosts")
	f.StringVar(&s.machines, "machines", "", "CSV file with series_id,cores,memory_mb of hosts")
	f.Uint32Var(&s.cores, "cores", 0, "cores of a host for which neither file says it (default not known)")
	f.StringVar(&s.start, "start", "", "time of the file's first sample, such as 2026-11-01T00:00:00Z (default: the file has Unix times)")
	f.StringVar(&s.unit, "unit", "", "what the values are: percent of the host, or its share from 0 to 1 (default percent)")
	f.BoolVar(&s.skipBad, "skip-bad", false, "skip bad rows instead of refusing the file")
}

// earliest is the least time that can be a Unix time of samples: 2001.
const earliest = 1e9 * time.Second

// contents is what a file holds.
type contents struct {
	*importer.Import
	Hosts            []string // in the file's order
	Clipped, Skipped int      // see trace.Pool

	source   *source
	machines map[string]trace.Machine
	start    time.Time // zero: the file's times are Unix times
	greatest float32
	low      string // the first host of which no value is above 1, though some are well above 0
	err      error
}

// read reads the file. Its errors are the user's to correct.
func (s *source) read(now time.Time) (*contents, error) {
	c, err := s.tables(now)
	if err != nil {
		return nil, err
	}
	if s.start != "" {
		if c.start, err = time.Parse(time.RFC3339, s.start); err != nil {
			return nil, fmt.Errorf("--start %q is no time: write one such as 2026-11-01T00:00:00Z", s.start)
		}
	}
	o := trace.HostOptions{Cores: s.cores, SkipBad: s.skipBad, Machines: c.machines}
	pool, err := load(s.path, func(r io.Reader, file string) (*trace.Pool, error) { return trace.Usage(r, file, o, c.add) })
	if err = errors.Join(err, c.doubt()); err != nil {
		return nil, err
	}
	c.Clipped, c.Skipped = pool.Clipped, pool.Skipped
	return c, nil
}

// tables reads the files and flags that describe hosts, beside the usage itself.
func (s *source) tables(now time.Time) (*contents, error) {
	c := &contents{source: s, Import: &importer.Import{Now: now}}
	if s.unit != "" && s.unit != "percent" && s.unit != "share" {
		return nil, fmt.Errorf("--unit %q: write percent or share", s.unit)
	}
	if s.cores > trace.MaxCores {
		return nil, fmt.Errorf("--cores %d: a host has at most %d", s.cores, trace.MaxCores)
	}
	var err error
	if c.Tenants, err = load(s.tenants, importer.Tenants); err != nil {
		return nil, err
	}
	c.machines, err = load(s.machines, func(r io.Reader, file string) (map[string]trace.Machine, error) {
		return trace.Machines(r, file, s.skipBad)
	})
	return c, err
}

// load opens a file for one of the readers. Without a path it reads nothing.
func load[T any](path string, read func(io.Reader, string) (T, error)) (none T, err error) {
	if path == "" {
		return none, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return none, err
	}
	defer func() { _ = f.Close() }()
	return read(f, path)
}

// add takes the series of one host. The first wrong series makes the import fail.
func (c *contents) add(s trace.Series) {
	if c.err != nil {
		return
	}
	begin := time.Unix(0, 0).Add(s.Begin)
	switch {
	case !c.start.IsZero():
		begin = c.start
	case s.Begin < earliest:
		c.err = fmt.Errorf("%s: its first time, %.0f s, is not a recent Unix time: say with --start when the first sample was taken", c.source.path, s.Begin.Seconds())
		return
	}
	most := float32(0)
	for i, v := range s.Percent {
		if v > most { // never NaN
			most = v
		}
		if c.source.unit != "share" {
			s.Percent[i] = v / 100
		}
	}
	c.greatest = max(c.greatest, most)
	if most > doubtful && most <= 1 && c.low == "" {
		c.low = fmt.Sprintf("line %d: host %s", s.Line, s.ID)
	}
	c.Hosts = append(c.Hosts, s.ID)
	err := c.Add(importer.Series{
		Host: s.ID, Cores: s.Machine.Cores, Memory: s.Machine.Memory, Begin: begin, Every: s.Every, Share: s.Percent,
	})
	if err != nil {
		c.err = fmt.Errorf("%s: line %d: %w", c.source.path, s.Line, err)
	}
}

// doubtful is the greatest value from which on a host without one above 1 may have shares in place of
// percent.
const doubtful = 0.05

// doubt returns an error if the file as a whole seems to have another unit.
func (c *contents) doubt() error {
	if c.err != nil || c.source.unit != "" || c.greatest == 0 {
		return c.err
	}
	if c.greatest <= 1 {
		return fmt.Errorf("%s: no value is above 1: if values are shares of the host, say --unit share; if no host ever used more than 1 %%, say --unit percent", c.source.path)
	}
	if c.low != "" {
		return fmt.Errorf("%s: %s: no value is above 1, while those of other hosts are up to %g: if its values are percent, too, say --unit percent; if they are shares, convert them", c.source.path, c.low, c.greatest)
	}
	return nil
}
