package past

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/importer"
	"lull/cmd/lull/importer/prometheus"
	"lull/sim/trace"
	"lull/subjects/history"
)

// wholeHost is the greatest value that counts as a whole host, because rates are extrapolated.
const wholeHost = 1.05

// maxAge is how long before the end a host's last sample may lie.
const maxAge = time.Hour

// gathering imports what a Prometheus server knows, week by week, so that only one week of all hosts is in
// memory.
type gathering struct {
	from     *prometheus.Source
	file     *source // its units, cores and rule for bad values count here, too
	tenants  map[string]string
	machines map[string]trace.Machine
	now      time.Time

	week   *importer.Import
	last   map[string]int64  // step of the last sample of each host
	owners map[string]string // tenants of hosts
	result importer.Result
	counts
}

// counts are what the reader of the result should know.
type counts struct{ Old, Clipped, Skipped int }

func (g *gathering) run(ctx context.Context, bus importer.Bus, dry bool) error {
	g.last, g.owners = map[string]int64{}, map[string]string{}
	end := history.Slot(g.now)
	for first := history.Slot(g.now.Add(-history.Days*24*time.Hour)) + 1; first < end; {
		to := min(history.WeekOf(first)+int64(history.PerWeek), end)
		g.week = &importer.Import{Now: g.now, Tenants: g.tenants}
		if err := g.from.Read(ctx, first, to, g.take); err != nil {
			return g.partly(err)
		}
		r, err := g.week.Put(ctx, bus, dry)
		g.result.Samples, g.result.New = g.result.Samples+r.Samples, g.result.New+r.New
		g.result.Blocks, g.result.Bytes = g.result.Blocks+r.Blocks, g.result.Bytes+r.Bytes
		if err != nil {
			return g.partly(err)
		}
		first = to
	}
	g.result.Hosts = len(g.last)
	return nil
}

// partly adds to an error what the import had put into the pool when it broke off.
func (g *gathering) partly(err error) error {
	if g.result.Blocks == 0 {
		return err
	}
	return fmt.Errorf("%w (%d new samples are in the pool already, which another run skips)", err, g.result.New)
}

// take takes a series of a week.
func (g *gathering) take(s prometheus.Series) error {
	shares := make([]float32, len(s.Values))
	for i, value := range s.Values {
		shares[i] = float32(math.NaN())
		if !s.Known[i] {
			continue
		}
		share, err := g.share(value)
		switch {
		case err != nil && g.file.skipBad:
			g.Skipped++
		case err != nil:
			at := history.TimeOf(s.First + int64(i) + 1).Format(time.RFC3339)
			return exit.With(exit.Usage, fmt.Errorf("host %s at %s: %w; --skip-bad leaves such values out", s.Host, at, err))
		default:
			shares[i] = float32(share)
			g.last[s.Host] = max(g.last[s.Host], s.First+int64(i))
		}
	}
	if tenant := s.Tenant; tenant != "" {
		g.owners[s.Host] = tenant
	}
	machine := g.machines[s.Host]
	if machine.Cores == 0 {
		machine.Cores = g.file.cores
	}
	err := g.week.Extend(importer.Series{
		Host: s.Host, Cores: machine.Cores, Memory: machine.Memory, Tenant: s.Tenant,
		Begin: history.TimeOf(s.First), Every: history.Step, Share: shares,
	})
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	return nil
}

// share is a value as a share of the host.
func (g *gathering) share(value float64) (float64, error) {
	percent := g.file.unit == "percent"
	share := value
	if percent {
		share = value / 100
	}
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return 0, fmt.Errorf("the query gives %g: it divides by zero there", value)
	case value < 0:
		return 0, fmt.Errorf("%g is below zero: correct the query", value)
	case share > wholeHost && percent:
		return 0, fmt.Errorf("%g is more than 100 %% of the host: divide by its cores in the query", value)
	case share > wholeHost:
		return 0, fmt.Errorf("%g is no share of the host: divide by its cores in the query, or say --unit percent if all values are percent", value)
	case share > 1:
		g.Clipped++
	}
	return min(share, 1), nil
}

// hosts are the names of all hosts that have a sample.
func (g *gathering) hosts() []string { return slices.Sorted(maps.Keys(g.last)) }

// stale are the hosts whose series ended before the query's.
func (g *gathering) stale() []string {
	oldest := history.Slot(g.now.Add(-maxAge))
	return among(g.hosts(), func(h string) bool { return g.last[h] < oldest })
}
