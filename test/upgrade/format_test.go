package upgrade

import (
	"testing"
	"time"

	"lull/actors"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
)

// In the pool of a release that signs nothing no subject ends with a user's name until both
// services lead in this version, and the host that it is about has joined in it.
func TestTheFormThatAReleaseReads(t *testing.T) {
	fixtures(t, func(t *testing.T, f *Fixture) {
		if f.signs(t) {
			return
		}
		a := fresh(t, slotter.Name+".")
		f.fold(t, a, 0)
		states := map[string]*ledger.State{"the whole log": a.State()}
		for _, s := range f.Snapshots {
			var snap actors.Snapshot
			if subjects.Unmarshal(s.Body, &snap) != nil || fresh(t, s.Name) == nil {
				continue
			}
			states[s.Name] = must(ledger.Unpack(snap.State, snap.Version))(t)
		}
		for from, s := range states {
			host := s.Hosts()[0].Name
			for _, step := range []struct {
				event      subjects.Event
				pool, host bool
			}{
				{&subjects.Led{Actor: "slotter", Partition: "all", Format: subjects.Format}, false, false},
				{&subjects.Led{Actor: "admission", Partition: "all", Format: subjects.Format}, true, false},
				{&subjects.Joined{Host: host, Cores: 1, Slots: 1, Format: subjects.Format}, true, true},
				{&subjects.Led{Actor: "slotter", Partition: "all"}, false, false},
			} {
				s.Apply(s.Seq+1, time.Unix(0, s.Now()+1), step.event)
				if pool, one := s.Reads(subjects.FormatSigned, ""), s.Reads(subjects.FormatSigned, host); pool != step.pool || one != step.host {
					t.Errorf("%s, after %T: the pool reads signed subjects = %v, host %s = %v, want %v and %v", from, step.event, pool, host, one, step.pool, step.host)
				}
			}
		}
	})
}

// signs reports whether the services that wrote the log declared that they read signed subjects.
func (f *Fixture) signs(t *testing.T) bool {
	t.Helper()
	for _, e := range f.Entries {
		event, err := subjects.Decode(subjects.DefaultPool, e.Subject, e.Body)
		if err != nil {
			t.Fatalf("Decode(entry %d on %s) = %v, want no error", e.Seq, e.Subject, err)
		}
		if led, ok := event.(*subjects.Led); ok && led.Format >= subjects.FormatSigned {
			return true
		}
	}
	return false
}
