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

// row is what the stream of history holds of a host. A step of two minutes counts once: as the
// agent's if it has it, else as imported.
type row struct {
	Host     string  `json:"host"`
	Tenant   string  `json:"tenant,omitempty"` // of the last sample
	Days     int     `json:"days"`             // UTC days that have samples
	Samples  int     `json:"samples"`
	Gaps     int     `json:"gaps"` // steps without a sample between the first and the last one
	Agent    int     `json:"agent_samples"`
	Imported int     `json:"imported_samples"`
	Blocks   int     `json:"blocks"`
	Bytes    int64   `json:"bytes"`
	First    *string `json:"first"` // when the first sample begins
	Last     *string `json:"last"`

	seen        *history.Seen
	days        uint64 // bits, from the first day of the survey on
	first, last int64  // slots
}

// survey reads the stream of history. It holds no samples: 3 KB for each host.
type survey struct {
	pool     subjects.Pool
	from, to int64 // slots that count
	hosts    map[string]*row
	unread   int // blocks that are damaged, or of a newer version
	block    history.Block
}

func newSurvey(pool subjects.Pool, now time.Time) *survey {
	from := history.Slot(now.Add(-history.Days * 24 * time.Hour))
	return &survey{pool: pool, from: from, to: history.Slot(now.Add(time.Hour)), hosts: map[string]*row{}}
}

// rows reads all blocks, the agents' own first, and returns the hosts by name.
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

// add counts the present block.
func (s *survey) add(host string, bytes int) {
	r := s.hosts[host]
	if r == nil {
		r = &row{Host: host, seen: history.NewSeen(s.from, s.to)}
		s.hosts[host] = r
	}
	r.Blocks, r.Bytes = r.Blocks+1, r.Bytes+int64(bytes)
	for i, sample := range s.block.Samples {
		slot := s.block.From + int64(i)
		if sample.Seconds > 0 && slot < s.to && r.seen.Mark(slot) {
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

// sum fills in the fields that follow from all samples.
func (r *row) sum() row {
	if r.Samples > 0 {
		first, last := history.TimeOf(r.first).Format(time.RFC3339), history.TimeOf(r.last).Format(time.RFC3339)
		r.First, r.Last = &first, &last
		r.Days, r.Gaps = bits.OnesCount64(r.days), int(r.last-r.first)+1-r.Samples
	}
	return *r
}
