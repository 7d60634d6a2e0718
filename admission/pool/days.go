package pool

import (
	"time"

	"lull/admission/facts"
	"lull/admission/outlook"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/survival"
)

// days is what the days of hosts' tenants say of the time to come. The log has what was learnt of tenants, so
// nothing of this is in a snapshot.
type days struct {
	*facts.Facts
	of      map[string]*tenantDay
	present int // tenants of this look with a known day
	turns   int // days that may still be made in this look
	looks   uint64
}

type tenantDay struct {
	outlook.Day
	*survival.Outlook
	said *subjects.Classified // from which it is made
	made int64                // when, Unix nanoseconds
	look uint64               // in which a host of the tenant was seen last
}

const (
	// dayLasts is how long a day stands: its spans count from when it was made.
	dayLasts = int64(5 * time.Minute)
	// dayTurns is how many are made in one look, in some milliseconds.
	dayTurns = 500
)

// look returns the days of hosts' tenants, in the order of the hosts; nil for a tenant without a known day.
func (d *days) look(hosts []*ledger.Host) []*tenantDay {
	all := make([]*tenantDay, len(hosts))
	d.present = 0
	if d.Ledger.Tenants.Last() == nil || d.Config.Steady || d.Config.Mode == subjects.ModeEq7 {
		return all
	}
	if len(d.of) > 2*len(hosts) {
		clear(d.of) // of tenants that have no hosts any more
	}
	d.turns, d.looks = dayTurns, d.looks+1
	for i, h := range hosts {
		day := d.find(d.Ledger.Owners.NameOf(h))
		if day == nil || !h.Open() {
			continue
		}
		if all[i] = day; day.look != d.looks {
			day.look = d.looks
			d.present++
		}
	}
	return all
}

// find returns the day of a tenant, nil if it is not known.
func (d *days) find(tenant string) *tenantDay {
	said, day := d.Ledger.Tenants.Of(tenant), d.of[tenant]
	switch {
	case said == nil:
		return nil
	case day != nil && day.said == said && d.Now-day.made < dayLasts, d.turns == 0:
		return day.known()
	case day == nil || day.said != said:
		day = &tenantDay{Outlook: survival.NewOutlook(&said.Profile), said: said}
		if d.of == nil {
			d.of = map[string]*tenantDay{}
		}
		d.of[tenant] = day
	}
	day.Day, day.made = outlook.NewDay(day.Outlook, time.Unix(0, d.Now)), d.Now
	d.turns--
	return day.known()
}

// known is the day if it says anything.
func (t *tenantDay) known() *tenantDay {
	if t == nil || !t.HasPattern() {
		return nil
	}
	return t
}

// Days is the number of tenants with days that predictions rest on.
func (s *supply) Days() int { return s.days.present }

// HasDay reports whether predictions rest on the day of the host's tenant.
func (s *supply) HasDay(h *ledger.Host) bool {
	return s.days.of[s.Ledger.Owners.NameOf(h)].known() != nil
}
