package past

import (
	"context"
	"maps"
	"math/bits"
	"slices"
	"time"

	"lull/actors"
	"lull/client"
	"lull/subjects"
	"lull/subjects/history"
)

// row sums up what the stream of history has about a host. A sample covers a step of two minutes. A step
// with both an agent's and an imported sample counts once, as the agent's.
type row struct {
	Host     string  `json:"host"`
	Tenant   string  `json:"tenant,omitempty"` // owner that the last sample names
	Days     int     `json:"days"`             // UTC days that have samples
	Samples  int     `json:"samples"`
	Gaps     int     `json:"gaps"` // steps without a sample between the first and the last one
	Agent    int     `json:"agent_samples"`
	Imported int     `json:"imported_samples"`
	Blocks   int     `json:"blocks"`
	Bytes    int64   `json:"bytes"`
	First    *string `json:"first"` // when the first sample begins
	Last     *string `json:"last"`  // when the last one begins

	seen        *history.SlotSet
	days        uint64 // a bit for each day that has samples, from the first day of the survey on
	first, last int64  // slots of the first and the last sample
}

// survey reads the stream of history and sums it up by host. It keeps no samples in memory, only about 3 KB
// for each host.
type survey struct {
	pool     subjects.Pool
	from, to int64 // the range of slots that it counts, without to
	hosts    map[string]*row
	unread   int // blocks that are damaged, or of a newer version
	block    history.Block
}

func newSurvey(pool subjects.Pool, now time.Time) *survey {
	from := history.Slot(now.Add(-history.Days * 24 * time.Hour))
	return &survey{pool: pool, from: from, to: history.Slot(now.Add(time.Hour)), hosts: map[string]*row{}}
}

// rows reads all blocks and returns a row for each host, by name. It reads the agents' own blocks before the
// imported ones, because the first sample of a step counts.
func (s *survey) rows(ctx context.Context, from client.Samples) ([]row, error) {
	for _, filter := range []string{s.pool.OfHistory("*", "*"), s.pool.OfPast("*", "*")} {
		if _, err := from.ReadHistory(ctx, 0, filter, s.take); err != nil {
			return nil, err
		}
	}
	var rows []row
	for _, host := range slices.Sorted(maps.Keys(s.hosts)) {
		rows = append(rows, s.hosts[host].sum())
	}
	return rows, nil
}

func (s *survey) take(d actors.Delivery) error {
	if host, err := history.Read(s.pool, d.Subject, d.Body, &s.block); err == nil {
		s.add(host, len(d.Body))
	} else {
		s.unread++
	}
	return nil
}

// add counts the samples of s.block, which take has just decoded.
func (s *survey) add(host string, bytes int) {
	r := s.hosts[host]
	if r == nil {
		r = &row{Host: host, seen: history.NewSlotSet(s.from, s.to)}
		s.hosts[host] = r
	}
	r.Blocks, r.Bytes = r.Blocks+1, r.Bytes+int64(bytes)
	for i, sample := range s.block.Samples {
		slot := s.block.From + int64(i)
		if sample.Seconds > 0 && slot < s.to && r.seen.Add(slot) {
			r.days |= 1 << ((slot - history.DayOf(s.from)) / int64(history.PerDay))
			r.count(slot, s.block.Origin, s.block.Owners[sample.Owner].Tenant)
		}
	}
}

func (r *row) count(slot int64, origin history.Origin, tenant string) {
	if r.Samples == 0 || slot > r.last {
		r.last, r.Tenant = slot, tenant
	}
	if r.Samples == 0 || slot < r.first {
		r.first = slot
	}
	r.Samples++
	if origin == history.Agent {
		r.Agent++
	} else {
		r.Imported++
	}
}

// sum fills in the fields that can be computed only after all samples, and returns the row.
func (r *row) sum() row {
	if r.Samples > 0 {
		first, last := history.TimeOf(r.first).Format(time.RFC3339), history.TimeOf(r.last).Format(time.RFC3339)
		r.First, r.Last = &first, &last
		r.Days, r.Gaps = bits.OnesCount64(r.days), int(r.last-r.first)+1-r.Samples
	}
	return *r
}
