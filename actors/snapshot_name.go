package actors

import (
	"fmt"
	"strconv"
	"strings"
)

// SnapshotName is the name under which a version saves the snapshots of an actor's
// partition. Several versions keep one each. Before snapshots had sections, the
// name ended with the partition.
func SnapshotName(name, partition string, version int) string {
	return fmt.Sprintf("%s.%s/%d", name, partition, version)
}

// snapshotOf splits the name of a snapshot into NAME.PARTITION and the version, 0
// if the name has none.
func snapshotOf(name string) (owner string, version int) {
	owner, rest, _ := strings.Cut(name, "/")
	version, _ = strconv.Atoi(rest)
	return owner, version
}

// snapshotName is the name under which this version saves.
func (c *Config) snapshotName() string { return SnapshotName(c.Name, c.Partition, c.Version) }

// place is a name under which a snapshot may stand, and the versions it may have.
type place struct {
	name     string
	versions []int
}

// readable lists the places of snapshots that the actor can read, the best first.
func (c *Config) readable() []place {
	places := []place{{c.snapshotName(), []int{c.Version}}}
	for _, v := range c.Reads {
		places = append(places, place{SnapshotName(c.Name, c.Partition, v), []int{v}})
	}
	return append(places, place{c.owner(), c.Reads})
}

// unreached is the error for a log whose beginning was trimmed, without a snapshot
// that reaches its first entry. If a newer version saved one, it names it.
func (s *Shell) unreached(info LogInfo) error {
	snapshots, err := insist(s, func() (map[string]uint64, error) { return s.cfg.Bus.Snapshots(s.ctx) })
	if err != nil {
		return fmt.Errorf("list the snapshots: %w", err)
	}
	for name, seq := range snapshots {
		owner, version := snapshotOf(name)
		if owner == s.cfg.owner() && seq+1 >= info.First && (version > s.cfg.Version || s.snapshot.taken) {
			return fmt.Errorf("the log begins at %d, and only a newer version of lull has a snapshot that reaches it (%s): run that version", info.First, name)
		}
	}
	return truncated(info.First)
}
