package classifier

import (
	"time"

	"lull/actors"
	"lull/classifier/classes"
	"lull/classifier/drift"
	"lull/classifier/learn"
	"lull/classifier/study"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/profile"
)

// said is a generation on its way into the log: the reports of tenants, by name, and how it ends.
type said struct {
	tenants []*subjects.Classified
	before  map[string]*subjects.Classified // what counted of them
	end     *subjects.PoolClassified
}

// batch is how many tenants are reported at once. A profile takes a kilobyte or two.
const batch = 400

// next are the events that are not in the log yet, as many as fit one batch.
func (s *said) next(known *ledger.Tenants) (events []subjects.Event) {
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

// compare finds the reports of a generation: tenants that are new or gone, that have profiles worth
// replacing, or that changed their class.
func compare(known *ledger.Tenants, r *Learned, generation uint64) *said {
	s := &said{end: ending(r, generation), before: map[string]*subjects.Classified{}}
	fresh := map[string]bool{}
	for i := range r.Found.Tenants {
		t := &r.Found.Tenants[i]
		fresh[t.Name] = true
		old := known.Of(t.Name)
		if why := worth(old, t.Class, &t.Profile, r.At, r.Known.Changed); why != drift.None {
			s.tenants = append(s.tenants, &subjects.Classified{
				Tenant: t.Name, Generation: generation, Class: t.Class, Profile: t.Profile, Why: string(why),
			})
		}
	}
	for old := range known.All() {
		s.before[old.Tenant] = old
		if !fresh[old.Tenant] {
			s.tenants = append(s.tenants, &subjects.Classified{
				Tenant: old.Tenant, Generation: generation, Gone: true, Profile: old.Profile, Why: string(whyGone),
			})
		}
	}
	s.end.Changed = uint32(len(s.tenants))
	return s
}

func worth(old *subjects.Classified, class string, fresh *profile.Profile, at time.Time, changed map[string]time.Time) drift.Reason {
	if old == nil {
		return drift.New
	}
	if why := drift.Worth(&old.Profile, fresh, at); why != drift.None {
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

func ending(r *Learned, generation uint64) *subjects.PoolClassified {
	end := &subjects.PoolClassified{
		Generation: generation, At: r.At.UnixNano(), Seed: r.Seed, Why: r.Why, Asked: r.Request.ID,
		Tenants: uint32(len(r.Found.Tenants)), Named: uint32(r.Found.Names.Named),
	}
	for i := range r.Found.Classes {
		c := &r.Found.Classes[i]
		end.Classes = append(end.Classes, subjects.TenantClass{
			Name: c.Name, Pattern: c.Pattern, Members: uint32(len(c.Members)), Average: c.Average, Peak: c.Peak, Center: c.Center,
		})
	}
	return end
}

// known is what a study needs of the log.
func (a *Actor) known() study.Known {
	k := study.Known{Profiles: map[string]*profile.Profile{}, Changed: a.changed, Options: learn.Options{Max: a.cfg.Max}}
	last := a.tenants.Last()
	if last == nil {
		return k
	}
	at := make(map[string]int, len(last.Classes))
	k.Names.Named = int(last.Named)
	for i, c := range last.Classes {
		at[c.Name] = i
		k.Names.Last = append(k.Names.Last, classes.Class{Name: c.Name, Pattern: c.Pattern})
	}
	for t := range a.tenants.All() {
		k.Profiles[t.Tenant] = &t.Profile
		if i, ok := at[t.Class]; ok {
			k.Names.Last[i].Members = append(k.Names.Last[i].Members, t.Tenant)
		}
	}
	return k
}
