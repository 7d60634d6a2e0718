package ledger

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"lull/subjects"
)

// Harm sums up what batch work gave and took on hosts over some time, in CPU
// seconds and seconds of waiting.
type Harm struct {
	_msgpack  struct{} `msgpack:",as_array"` //nolint:unused // it tells the encoder
	Harvested float64  // CPU that batch work used
	Primary   float64  // CPU that primaries used
	// Sensed is the part of Primary during which the delay was measured.
	Sensed  float64
	Delay   float64 // that primaries waited for a CPU because batch work ran
	Allowed float64 // what Delay was allowed to be
	// Evictions are those for primaries' sake.
	Evictions uint64
}

// Add adds what happened elsewhere, or at another time.
func (h *Harm) Add(o Harm) {
	h.Harvested += o.Harvested
	h.Primary += o.Primary
	h.Sensed += o.Sensed
	h.Delay += o.Delay
	h.Allowed += o.Allowed
	h.Evictions += o.Evictions
}

// Rate is the delay per CPU second of primaries, and Budget what it was allowed
// to be. Without a measurement, ok is false.
func (h Harm) Rate() (rate, budget float64, ok bool) {
	if !(h.Sensed > 0) {
		return 0, 0, false
	}
	return h.Delay / h.Sensed, h.Allowed / h.Sensed, true
}

// hours is how many of them a Toll keeps apart.
const hours = 24

// Toll is what one tenant's primary gave and suffered on one host.
type Toll struct {
	Tenant string // "" for hosts that do not say
	Host   string
	Sensor string // that measured the delay last, "" for none
	Since  int64  // when it began
	Total  Harm

	last int64 // hour of the newest in days, since 1970
	days [hours]Harm
}

// Day is what the hours of the last day add up to, the present one included.
func (t *Toll) Day(now time.Time) (sum Harm) {
	hour := now.Unix() / 3600
	for h := max(hour, t.last) - hours + 1; h <= t.last; h++ {
		if h >= 0 && h > t.last-hours {
			sum.Add(t.days[h%hours])
		}
	}
	return sum
}

// add counts an interval's harm at a time of the log.
func (t *Toll) add(now int64, h Harm) {
	hour := max(now/int64(time.Hour), t.last)
	for empty := max(t.last, hour-hours) + 1; empty <= hour; empty++ {
		t.days[empty%hours] = Harm{}
	}
	t.last = hour
	t.days[hour%hours].Add(h)
	t.Total.Add(h)
}

// Tolls are all that is known of what primaries gave and suffered, by tenant and
// host.
func (s *State) Tolls() iter.Seq[*Toll] { return slices.Values(s.tolls) }

// These bound the tenants and hosts that are kept: those with the newest additions to their tolls.
const (
	keepTolls    = 10_000
	tenantsAHost = 16      // so that a host that makes up tenants drives out no others
	tollHours    = 90 * 24 // after which a toll is forgotten
)

// skew is how far a host's idea of the log's time may be ahead. An interval that
// ended in the far future would make all that follow void.
const skew = time.Minute

// harmed counts an interval of a host, once: it must not begin before the end
// of the last one that counted. The log's clock decides which hour it is in.
func (s *State) harmed(now int64, e *subjects.Harmed) Verdict {
	h := s.hosts[e.Host]
	switch {
	case h == nil || h.Term != e.Term:
		return void("it is not the host's last incarnation")
	case e.From < h.harmed:
		return void("it was counted before, in part at least")
	case e.To > now+int64(skew):
		return void("it has not ended yet")
	}
	at, known := s.toll(e.Tenant, e.Host)
	if !known {
		s.forgetTolls(now, e.Host)
		at, _ = s.toll(e.Tenant, e.Host)
		s.tolls = slices.Insert(s.tolls, at, &Toll{Tenant: e.Tenant, Host: e.Host, Since: e.From})
	}
	h.harmed = e.To
	s.tolls[at].Sensor = e.Sensor
	s.tolls[at].add(now, harmOf(e))
	return accepted
}

// forgetTolls makes room for one more toll of a host.
func (s *State) forgetTolls(now int64, host string) {
	s.tolls = slices.DeleteFunc(s.tolls, func(t *Toll) bool { return now/int64(time.Hour)-t.last >= tollHours })
	s.dropToll(tenantsAHost, func(t *Toll) bool { return t.Host == host })
	s.dropToll(keepTolls, func(*Toll) bool { return true })
}

// dropToll drops, of at least so many tolls of a kind, the one to which nothing was added
// for longest.
func (s *State) dropToll(most int, of func(*Toll) bool) {
	n, oldest := 0, -1
	for i, t := range s.tolls {
		if !of(t) {
			continue
		}
		if n++; oldest < 0 || t.last < s.tolls[oldest].last {
			oldest = i
		}
	}
	if n >= most {
		s.tolls = slices.Delete(s.tolls, oldest, oldest+1)
	}
}

func harmOf(e *subjects.Harmed) Harm {
	h := Harm{Harvested: e.Harvested, Primary: e.Primary, Evictions: uint64(e.Evictions)}
	if e.Sensor != "" {
		h.Sensed, h.Delay, h.Allowed = e.Primary, e.Delay, e.Budget*e.Primary
	}
	return h
}

// toll returns where a tenant's on a host is, or would be.
func (s *State) toll(tenant, host string) (int, bool) {
	return slices.BinarySearchFunc(s.tolls, tenant, func(t *Toll, _ string) int {
		return cmp.Or(cmp.Compare(t.Tenant, tenant), cmp.Compare(t.Host, host))
	})
}
