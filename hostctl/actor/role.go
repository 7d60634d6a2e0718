package actor

import (
	"time"

	"lull/actors"
	"lull/subjects"
)

// A snapshot bounds the host's own entries that a restart reads again.
const (
	snapshotEvery = 10_000
	snapshotAfter = 10 * time.Minute
)

// Role is a host's part in a pool. It has one candidate, so it needs no lease. It folds the entries
// about its host alone, so entries that were trimmed cannot matter to it.
func Role(pool subjects.Pool, host string) actors.Role {
	r := actors.Role{
		Name: "hostctl", Partition: host, LedSubject: pool.Joined(host), Filter: pool.OfHost(host), Anywhere: true,
		Version: Version, Reads: Reads, SnapshotEvery: snapshotEvery, SnapshotAfter: snapshotAfter,
	}
	return r.In(pool)
}
