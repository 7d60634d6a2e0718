// Package importer turns usage that another monitoring recorded into blocks of history, and puts
// them into a pool. It is pure but for Put, which reads what was imported before. So a second
// import changes nothing, and one that broke off is completed by running it again.
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
	// Now bounds what is read. A sample after it is an error; one more than 31 days before it is left
	// out.
	Now time.Time
	// Tenants are the owners of hosts, by host. A host without one has none.
	Tenants map[string]string

	hosts map[string]map[int64]*history.Block // by host and first slot of the week
	// Old counts samples that are older than 31 days.
	Old int
}

// Series is the usage of a host.
type Series struct {
	Host   string
	Cores  uint32
	Memory int64
	Begin  time.Time
	Every  time.Duration
	Share  []float32 // of the host, 0 to 1; NaN for a missing sample
	// Tenant is the owner at that time. Defaults to that of Import.Tenants.
	Tenant string
}

// Add takes the only series of a host. A sample counts from its time to the next one's, in each step
// in between in proportion to the time.
func (m *Import) Add(s Series) error {
	if err := subjects.CheckToken("host", s.Host); err != nil {
		return fmt.Errorf("%w; lull hosts lists how agents call their hosts", err)
	}
	if m.hosts[s.Host] != nil {
		return fmt.Errorf("host %s has two series: keep one", s.Host)
	}
	return m.Extend(s)
}

// Extend takes a series like Add, but a host may have several.
func (m *Import) Extend(s Series) error {
	if err := subjects.CheckToken("host", s.Host); err != nil {
		return fmt.Errorf("%w; lull hosts lists how agents call their hosts", err)
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

// part is what a series says about one step of two minutes.
type part struct {
	slot               int64
	seconds, sum, peak float64
}

// spread adds a sample to the steps that it covers. put gets those that are over.
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

// Result is what Put did, or would do.
type Result struct {
	Hosts, Samples int // that were read
	New            int // samples that the pool did not have
	Blocks, Bytes  int // that were put
}

// Put puts the blocks that change what the pool has. With dry it only counts.
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

// imported reads the blocks that were imported of a host before, by week. It passes over bytes that
// are no block, so that Put replaces them.
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
