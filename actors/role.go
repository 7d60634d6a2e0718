package actors

import (
	"errors"
	"fmt"
	"time"

	"lull/subjects"
)

// Role is the part that an actor plays in a pool: where its decisions are in the log, what it
// reads, and how its state is kept. Each service declares its own, once, for the shell that runs it
// and for the simulator.
type Role struct {
	// Name is the actor's: "admission", "slotter". A subject token. Required.
	Name string
	// Partition is what an instance writes for: a host, a shard. A subject token. Defaults
	// to subjects.WholePool.
	Partition string
	// LedSubject is the subject of the events that open terms. Defaults to
	// Pool.Led(Name, Partition).
	LedSubject string
	// Filter is the pattern of the log that the actor folds, "" for all. It must match
	// LedSubject and all that the actor decides: a shell waits for the echo of its decisions.
	Filter string
	// Vocabulary has the kinds of events in the log. Defaults to subjects.Ledger.
	Vocabulary *subjects.Vocabulary
	// Anywhere says that the fold may begin in the middle of the log: what was trimmed away
	// cannot matter to it. This holds for a host, not for a service that keeps the whole
	// ledger.
	Anywhere bool

	// Telemetry lists patterns of telemetry to step with. Defaults to none.
	Telemetry []string
	// Asks lists questions (Pool.Ask) that the Actor, an Answerer, answers while it leads.
	// Defaults to none.
	Asks []string

	// Lease is how long the partition stays with an instance that no longer renews it, at least one
	// second. Zero means no lease: for partitions with one candidate, such as a host.
	Lease time.Duration

	// Version is the version of the snapshots that the actor makes. It stands in their names, so
	// that versions that run beside each other keep one each.
	Version int
	// Reads lists the earlier versions of snapshots that the actor restores, the latest
	// first. Defaults to none.
	Reads []int
	// Borrows are the snapshots of other services that the actor can begin with, if it has none of its own
	// that fits the log. Defaults to none.
	Borrows []Place
	// SnapshotEvery is the number of entries folded between two snapshots; with a Filter,
	// only those that it matches count. Defaults to 0: no snapshots, every start folds the
	// log from its beginning.
	SnapshotEvery uint64
	// SnapshotAfter is the longest time between two snapshots, if at least one entry came in
	// between. Defaults to 0: no limit.
	SnapshotAfter time.Duration

	// Keep is the number of entries that stay in the log when it is trimmed. A leader that
	// folds Keep/2 entries in one term opens a new one, before its Led is trimmed away.
	// Defaults to 0: never trim.
	Keep uint64
	// Trimmer makes the leader the one that trims the log.
	Trimmer bool
	// Awaits names the other services (NAME.PARTITION) that fold the whole log. The Trimmer keeps
	// all entries after their snapshots, and drops nothing while one of them has no snapshot. Once
	// the log's beginning is gone, a service without a snapshot can never start. Hosts may start
	// anywhere in the log, so their snapshots keep nothing. Defaults to none.
	Awaits []string
}

// In returns the role with its defaults filled in for a pool.
func (r Role) In(pool subjects.Pool) Role {
	if r.Partition == "" {
		r.Partition = subjects.WholePool
	}
	if r.Vocabulary == nil {
		r.Vocabulary = subjects.Ledger
	}
	if r.LedSubject == "" {
		r.LedSubject = pool.Led(r.Name, r.Partition)
	}
	return r
}

// Check names the fields that make no role. Call it on what In returned.
func (r Role) Check() error {
	var errs []error
	if r.Lease != 0 && r.Lease < time.Second {
		errs = append(errs, errors.New("the Lease is shorter than a second, the least that a server keeps"))
	}
	if !Match(r.Filter, r.LedSubject) {
		errs = append(errs, fmt.Errorf("the Filter %q does not match LedSubject %q: the shell would never see its own term", r.Filter, r.LedSubject))
	}
	return errors.Join(append(errs, subjects.CheckToken("Name", r.Name), subjects.CheckToken("Partition", r.Partition))...)
}

// Owner is the name of the partition among leases, and the beginning of its snapshots'
// names.
func (r Role) Owner() string { return r.Name + "." + r.Partition }

// SnapshotName is the name under which this version saves.
func (r Role) SnapshotName() string { return SnapshotName(r.Name, r.Partition, r.Version) }

// ErrReplaced says: a partition without a lease has one candidate, and another
// instance took its place.
var ErrReplaced = errors.New("another process has taken over under the same name: give each machine a name of its own, and run one agent a name")

// Place is a name under which a snapshot may stand, and the versions it may have.
type Place struct {
	Name     string
	Versions []int
}

// Places lists where the snapshots may stand that the actor can read, the best first.
func (r Role) Places() []Place {
	places := []Place{{r.SnapshotName(), []int{r.Version}}}
	for _, v := range r.Reads {
		places = append(places, Place{SnapshotName(r.Name, r.Partition, v), []int{v}})
	}
	return append(append(places, Place{r.Owner(), r.Reads}), r.Borrows...)
}

// The policy of services that decide for a whole pool. A lease of four seconds rides over a
// stalled disk and hands over soon after a crash. A snapshot every 50,000 entries bounds a
// restart to a fold of less than a second.
const (
	serviceLease         = 4 * time.Second
	serviceSnapshotEvery = 50_000
	serviceSnapshotAfter = 10 * time.Minute
	serviceKeep          = 200_000
)

// Service is the role of an actor that decides for a whole pool and folds its whole log.
func Service(name string, version int, reads []int) Role {
	return Role{
		Name: name, Version: version, Reads: reads, Lease: serviceLease,
		SnapshotEvery: serviceSnapshotEvery, SnapshotAfter: serviceSnapshotAfter, Keep: serviceKeep,
	}
}
