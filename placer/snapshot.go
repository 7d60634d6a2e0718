package placer

import (
	"fmt"

	"lull/subjects/ledger"
	"lull/subjects/section"
)

// Version of snapshots: the ledger's version and that of the placer's own section.
const Version = ledger.Version<<8 | ownVersion

// Section is the placer's own section of a snapshot, beside the ledger's. It is empty: all that the
// placer decides follows from the log and from telemetry.
var Section = section.Kind{Name: Name, Version: ownVersion, Optional: true}

const ownVersion = 1

type own struct{}

// Snapshot returns the actor's state. ledger.Unpack extracts the ledger from it.
func (a *Actor) Snapshot() ([]byte, error) { return a.state.PackWith(Section, &own{}) }

// Restore replaces the state by a snapshot's. It may be that of another service that keeps the ledger: a
// pool may be given a placer after the beginning of its log was trimmed.
func (a *Actor) Restore(b []byte) error {
	state, err := ledger.Unpack(b, Version)
	if err != nil {
		return fmt.Errorf("placer snapshot: %w", err)
	}
	a.reset(state)
	return nil
}
