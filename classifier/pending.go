package classifier

import (
	"slices"
	"time"

	"lull/actors"
	"lull/classifier/drift"
	"lull/classifier/generation"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/profile"
)

// pending is a generation that is not yet in the log, or only in part: the reports of tenants, by name, and how it ends.
type pending struct {
	tenants []*subjects.Classified
	before  map[string]*subjects.Classified // what counted of them
	end     *subjects.PoolClassified
	more    bool // there was no room for all reports
	all     bool // it reports all tenants
}

// batch is how many tenants are reported at once. A profile takes a kilobyte or two.
const batch = 400

// next returns the events that are not in the log yet, as many as fit one batch: tenants first, then the
// end.
func (s *pending) next(known *ledger.Tenants) (events []subjects.Event) {
	for _, e := range s.tenants {
		if known.Pending(s.end.Generation, e.Tenant) != nil {
			continue
		}
		if events = append(events, e); len(events) == min(batch, actors.MaxBatch) {
			return events
		}
	}
	if len(events) == 0 {
		events = append(events, s.end)
	}
	return events
}

// drop leaves a tenant out.
func (s *pending) drop(tenant string) {
	i := slices.IndexFunc(s.tenants, func(e *subjects.Classified) bool { return e.Tenant == tenant })
	if i < 0 {
		return
	}
	if s.before[tenant] == nil {
		s.end.Tenants--
	}
	s.tenants = slices.Delete(s.tenants, i, i+1)
	s.end.Changed--
}

// worthReporting returns why a tenant's new profile and class are worth an event, drift.None if they are not.
func worthReporting(old *subjects.Classified, class string, fresh *profile.Profile, at time.Time, changed map[string]time.Time) drift.Reason {
	if old == nil {
		return drift.New
	}
	if why := drift.ReportReason(&old.Profile, fresh, at); why != drift.None {
		return why
	}
	if _, drifted := changed[old.Tenant]; drifted && fresh.From != old.Profile.From {
		return drift.Hours
	}
	if old.Class != class {
		return whyClass
	}
	return drift.None
}

// endOf returns the event that ends a generation.
func endOf(r *Learned, found []generation.Class, number uint64) *subjects.PoolClassified {
	end := &subjects.PoolClassified{
		Generation: number, At: r.At.UnixNano(), Seed: r.Seed, Why: r.Why, Asked: r.Request.ID, Named: uint32(r.Found.Names.Named),
	}
	for i := range found {
		c := &found[i]
		end.Classes = append(end.Classes, subjects.TenantClass{
			Name: c.Name, Pattern: c.Pattern, Members: uint32(len(c.Members)), Average: c.Average, Peak: c.Peak, Center: c.Center,
		})
	}
	return end
}
