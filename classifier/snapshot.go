package classifier

import (
	"fmt"

	"lull/classifier/tenure"
	"lull/subjects/ledger"
	"lull/subjects/section"
)

// Version of snapshots. Raise it once in a release in which form changes.
const Version = 1

// Section is what a snapshot holds.
var Section = section.Kind{Name: Name, Version: Version}

// form is what a snapshot keeps. History is not in it: it has a stream of its own.
type form struct {
	Tenants *ledger.TenantsForm `msgpack:"tenants,omitempty"`
	Hosts   tenure.Form         `msgpack:"hosts"`
	Owned   uint64              `msgpack:"owned,omitempty"`
	Readers readers             `msgpack:"readers"`
	Gap     bool                `msgpack:"gap,omitempty"`
}

// Snapshot returns what the log has of tenants.
func (a *Actor) Snapshot() ([]byte, error) {
	return section.Write(section.Part{Kind: Section, Form: &form{a.tenants.Pack(), a.hosts.Pack(), a.owned, a.readers, a.gap}})
}

// Restore replaces the state by a snapshot's.
func (a *Actor) Restore(b []byte) error {
	var f form
	if err := section.Read(b, nil, section.Part{Kind: Section, Form: &f}); err != nil {
		return fmt.Errorf("classifier snapshot: %w", err)
	}
	var tenants ledger.Tenants
	if err := tenants.Load(f.Tenants); err != nil {
		return fmt.Errorf("classifier snapshot: %w", err)
	}
	var hosts tenure.Hosts
	if err := hosts.Load(f.Hosts); err != nil {
		return fmt.Errorf("classifier snapshot: %w", err)
	}
	a.tenants, a.hosts, a.owned, a.readers, a.gap, a.leader = tenants, hosts, f.Owned, f.Readers, f.Gap, ""
	a.forget()
	return nil
}
