// Package section is the format of an actor's snapshot: a list of named sections. Each has the
// version of its form and a migration from the version before, so that a newer program reads what
// an older one saved.
//
//	"LULL" form(1 byte) [{name, version, optional, body}, …]   (msgpack)
//
// An actor writes and reads its sections as parts:
//
//	var Section = section.Kind{Name: "slotter", Version: 4, Ways: section.Ways{3: nil}}
//
//	b, err := section.Write(section.Part{Kind: ledger.Section, Form: state}, section.Part{Kind: Section, Form: &own})
//	err := section.Read(b, nil, section.Part{…}, section.Part{…})
//
// To add to a released section, raise its version, and add to Ways how the bytes of the version
// before become those of the new one. A nil way leaves them as they are, which is right if a
// missing field means the same as its zero value. The version of the actor's snapshots
// (actors.Role.Version) rises with that of any section, because it is part of the snapshots' names.
// A standby of the version before must not replace the snapshots of the new one.
package section
