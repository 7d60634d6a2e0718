// Package importer turns usage that another monitoring system recorded into blocks of history, and puts
// them into a pool. Put first reads what was imported before. So a second import changes nothing, and an
// import that broke off is completed by running it again. All but Put is pure.
package importer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/history"
)

// Import collects samples. Now must be set.
type Import struct {
	// Now is the time of the import. A later sample is an error; one more than 31 days older is left out.
	Now time.Time
	// Tenants names the owner of each host. A host may have none.
	Tenants map[string]string

	hosts map[string]map[int64]*history.Block // by host and first slot of the week
	// Old counts the steps of two minutes that were left out because they are older than 31 days.
	Old int
}

// Series is the recorded CPU usage of a host, in equal intervals.
type Series struct {
	Host   string
	Cores  uint32
	Memory int64
	Begin  time.Time
	Every  time.Duration
	Share  []float32 // used share of the host's CPU, 0 to 1; NaN for a missing sample
	// Tenant is the owner at that time. Defaults to that of Import.Tenants.
	Tenant string
}

// Add takes the only series of a host. A sample covers the time until the next one. Each step of two minutes
// in that time gets the sample's share, weighted by the seconds that the sample covers of the step.
func (m *Import) Add(s Series) error {
	if err := subjects.CheckToken("host", s.Host); err != nil {
		return fmt.Errorf("%w; use the names that `lull hosts` lists", err)
	}
	if m.hosts[s.Host] != nil {
		return fmt.Errorf("host %s has two series: keep one", s.Host)
	}
	return m.Extend(s)
}

// Extend takes a series like Add, but a host may have several.
func (m *Import) Extend(s Series) error {
	if err := subjects.CheckToken("host", s.Host); err != nil {
		return fmt.Errorf("%w; use the names that `lull hosts` lists", err)
	}
	if m.hosts == nil {
		m.hosts = map[string]map[int64]*history.Block{}
	}
	weeks := m.hosts[s.Host]
	if weeks == nil {
		weeks = map[int64]*history.Block{}
		m.hosts[s.Host] = weeks
	}
	oldest := history.Slot(m.Now.Add(-history.Days * 24 * time.Hour))
	owner := history.Owner{Tenant: cmp.Or(s.Tenant, m.Tenants[s.Host]), Cores: s.Cores, Memory: s.Memory}
	step := part{slot: math.MinInt64}
	put := func(p part) {
		switch {
		case p.seconds < 0.5:
		case p.slot < oldest:
			m.Old++
		default:
			week := history.WeekOf(p.slot)
			if weeks[week] == nil {
				weeks[week] = &history.Block{Origin: history.Import}
			}
			weeks[week].Put(p.slot, p.sample(), owner)
		}
	}
	for i, share := range s.Share {
		from := s.Begin.Add(time.Duration(i) * s.Every)
		if math.IsNaN(float64(share)) {
			continue
		}
		if share < 0 || share > 1 {
			return fmt.Errorf("host %s at %s: %g is no share of the host: give values from 0 to 1, or say --unit percent", s.Host, from.UTC().Format(time.RFC3339), share)
		}
		if from.After(m.Now) {
			return fmt.Errorf("host %s at %s: the sample lies in the future: check the clock of the source, and --start", s.Host, from.UTC().Format(time.RFC3339))
		}
		step = step.spread(from, from.Add(s.Every), float64(share), put)
	}
	put(step)
	return nil
}

// part is what a series says about one step of two minutes (history.Step), which slot numbers.
type part struct {
	slot               int64
	seconds, sum, peak float64
}

// spread adds a sample to the steps that it covers. It calls put with each step that is complete, and returns
// the last one, to which the next sample may add.
func (p part) spread(from, to time.Time, share float64, put func(part)) part {
	for from.Before(to) {
		slot := history.Slot(from)
		if slot != p.slot {
			put(p)
			p = part{slot: slot}
		}
		end := history.TimeOf(slot + 1)
		if end.After(to) {
			end = to
		}
		seconds := end.Sub(from).Seconds()
		p.seconds, p.sum, p.peak = p.seconds+seconds, p.sum+share*seconds, max(p.peak, share)
		from = end
	}
	return p
}

func (p part) sample() history.Sample {
	return history.Sample{
		Mean: history.Thousandths(p.sum / p.seconds), Peak: history.Thousandths(p.peak),
		Seconds: uint8(min(p.seconds+0.5, history.Step.Seconds())),
	}
}

// Bus is what Put needs of a pool.
type Bus interface {
	Pool() subjects.Pool
	PutHistory(ctx context.Context, m subjects.Message) error
	ReadHistory(ctx context.Context, from uint64, filter string, take func(actors.Delivery) error) (uint64, error)
}

// Result is what Put did or, in a dry run, would do.
type Result struct {
	Hosts, Samples int // that the import has
	New            int // samples that the pool did not have
	Blocks, Bytes  int // that were put into the pool
}

// Put puts those blocks into the pool that have samples new to it. With dry it only counts them.
func (m *Import) Put(ctx context.Context, bus Bus, dry bool) (r Result, err error) {
	for _, host := range slices.Sorted(maps.Keys(m.hosts)) {
		r.Hosts++
		before, err := imported(ctx, bus, host)
		if err != nil {
			return r, fmt.Errorf("host %s: %w", host, err)
		}
		for _, week := range slices.Sorted(maps.Keys(m.hosts[host])) {
			block := m.hosts[host][week]
			stands := before[week]
			if stands == nil {
				stands = &history.Block{Origin: history.Import}
			}
			fresh := 0
			for i, s := range block.Samples {
				if s.Seconds > 0 {
					r.Samples++
					if stands.Put(block.From+int64(i), s, block.Owners[s.Owner]) {
						fresh++
					}
				}
			}
			if r.New += fresh; fresh == 0 {
				continue
			}
			message := history.Message(bus.Pool(), host, stands)
			r.Blocks, r.Bytes = r.Blocks+1, r.Bytes+len(message.Body)
			if dry {
				continue
			}
			if err := bus.PutHistory(ctx, message); err != nil {
				return r, fmt.Errorf("host %s: %w; run the import again: it completes what is missing", host, err)
			}
		}
	}
	return r, nil
}

// imported reads the blocks of a host that were imported before, by week. It skips a damaged block, so
// that Put replaces it.
func imported(ctx context.Context, bus Bus, host string) (map[int64]*history.Block, error) {
	weeks := map[int64]*history.Block{}
	_, err := bus.ReadHistory(ctx, 0, bus.Pool().OfPast(host, "*"), func(d actors.Delivery) error {
		b := new(history.Block)
		if _, err := history.Read(bus.Pool(), d.Subject, d.Body, b); err == nil {
			weeks[history.WeekOf(b.From)] = b
		}
		return nil
	})
	return weeks, err
}
