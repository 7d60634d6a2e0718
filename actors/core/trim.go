package core

import (
	"slices"

	"lull/actors"
)

// TrimBelow returns the sequence below which a role may trim its log, or 0. It drops the entries
// that no service needs, except the newest Keep. A service that folds the whole log needs the
// entries after its snapshot; snapshots maps each service's name to its snapshot's sequence. Terms
// keep nothing. An instance whose Led or Joined is gone is refused its next batch and opens a new
// term, and a fold's state has the terms that it compares facts with.
func TrimBelow(role actors.Role, log actors.LogInfo, snapshots map[string]uint64) uint64 {
	if log.Last+1-log.First <= role.Keep {
		return 0
	}
	needed, all := needed(role, snapshots)
	below := min(needed, log.Last+1-role.Keep)
	if !all || below <= log.First {
		return 0
	}
	return below
}

// needed returns the first entry that a restarted service would have to fold; false if a service
// has no snapshot yet. A version of a service counts as retired if its snapshot is more than Keep
// behind that of another version.
func needed(role actors.Role, snapshots map[string]uint64) (from uint64, all bool) {
	newest := make(map[string]uint64)
	for name, seq := range snapshots {
		owner, _ := actors.SnapshotOf(name)
		newest[owner] = max(newest[owner], seq)
	}
	folders := append(slices.Clone(role.Awaits), role.Owner())
	for _, owner := range folders {
		if _, saved := newest[owner]; !saved {
			return 0, false
		}
	}
	from = newest[role.Owner()] + 1
	for name, seq := range snapshots {
		owner, _ := actors.SnapshotOf(name)
		if slices.Contains(folders, owner) && seq+role.Keep >= newest[owner] {
			from = min(from, seq+1)
		}
	}
	return from, true
}

// Outdated returns the names of the role's snapshots that no version will read again. It
// keeps those of this version, of later ones, and of the version before, which may still run
// or be reinstalled. An earlier version counts as no longer running when its snapshot is
// more than Keep behind, as in TrimBelow.
func Outdated(role actors.Role, snapshots map[string]uint64) (names []string) {
	if role.Keep == 0 {
		return nil
	}
	newest, before := uint64(0), -1
	for name, seq := range snapshots {
		if owner, version := actors.SnapshotOf(name); owner == role.Owner() {
			newest = max(newest, seq)
			if version < role.Version {
				before = max(before, version)
			}
		}
	}
	for name, seq := range snapshots {
		owner, version := actors.SnapshotOf(name)
		if owner == role.Owner() && version < before && seq+role.Keep < newest {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
