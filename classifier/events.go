package classifier

import (
	"time"

	"lull/classifier/study"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Events are what a classifier reports of the first generation of a pool: all tenants, and then the
// event from which they count. For simulations.
func Events(found study.Found, at time.Time, seed uint64) (events []subjects.Event) {
	learnt := Learn{At: at, Seed: seed, Why: subjects.ClassifiedDaily}
	first := compareTenants(&ledger.Tenants{}, &Learned{Learn: learnt, Found: found}, 1)
	for _, tenant := range first.tenants {
		events = append(events, tenant)
	}
	return append(events, first.end)
}
