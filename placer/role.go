package placer

import (
	"lull/actors"
	"lull/subjects"
)

// Role is the placer's part in a pool. It may begin with what others saved of the same ledger: the log is
// trimmed without regard to the placer's snapshots, because a pool may have had a placer once and have
// none any more.
func Role(pool subjects.Pool, others ...actors.Role) actors.Role {
	r := actors.Service(Name, Version, nil)
	r.Telemetry = []string{pool.Usage("*")}
	r.Asks = []string{subjects.AskPlan, subjects.AskLinks}
	for _, other := range others {
		r.Borrows = append(r.Borrows, actors.Place{Name: other.SnapshotName(), Versions: []int{other.Version}})
	}
	return r.In(pool)
}
