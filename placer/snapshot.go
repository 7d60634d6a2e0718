package placer

import (
	"fmt"

	"lull/placer/overhead"
	"lull/placer/uplink"
	"lull/subjects/ledger"
	"lull/subjects/section"
)

// Version of snapshots: the ledger's version and that of the placer's own section.
const Version = ledger.Version<<8 | ownVersion

// Section is the placer's own section of a snapshot, beside the ledger's.
var Section = section.Kind{Name: Name, Version: ownVersion, Optional: true}

const ownVersion = 1

// own is what the placer learnt, beside the ledger.
type own struct {
	Uplinks   []*uplink.Learnt   `msgpack:"uplinks,omitempty"`
	Overheads []*overhead.Lately `msgpack:"overheads,omitempty"`
}

// Snapshot returns the actor's state. ledger.Unpack extracts the ledger from it.
func (a *Actor) Snapshot() ([]byte, error) {
	return a.state.PackWith(Section, &own{Uplinks: a.observed.uplinks.Save(), Overheads: a.observed.overheads.Save()})
}

// Restore replaces the state by a snapshot's. It may be that of another service that keeps the ledger: a
// pool may be given a placer after the beginning of its log was trimmed.
func (a *Actor) Restore(b []byte) error {
	state, err := ledger.Unpack(b, Version)
	if err != nil {
		return fmt.Errorf("placer snapshot: %w", err)
	}
	a.reset(state)
	if !section.Is(b) {
		return nil
	}
	list, err := section.Unpack(b)
	if err != nil {
		return fmt.Errorf("placer snapshot: %w", err)
	}
	var form own
	if err := section.Pick(list, section.Part{Kind: Section, Form: &form}); err != nil {
		return fmt.Errorf("placer snapshot: %w", err)
	}
	if err := a.observed.restore(&form); err != nil {
		return fmt.Errorf("placer snapshot: %w", err)
	}
	return nil
}
