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

// SnapshotOf splits the name of a snapshot into NAME.PARTITION and the version, 0
// if the name has none.
func SnapshotOf(name string) (owner string, version int) {
	owner, rest, _ := strings.Cut(name, "/")
	version, _ = strconv.Atoi(rest)
	return owner, version
}
