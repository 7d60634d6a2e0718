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

// Role is the part of a host in a pool. It has one candidate, so it needs no lease, and it
// folds the entries about the host alone: what was trimmed away cannot matter to it.
func Role(pool subjects.Pool, host string) actors.Role {
	r := actors.Role{
		Name: "hostctl", Partition: host, LedSubject: pool.Joined(host), Filter: pool.OfHost(host), Anywhere: true,
		Version: Version, Reads: Reads, SnapshotEvery: snapshotEvery, SnapshotAfter: snapshotAfter,
	}
	return r.In(pool)
}
