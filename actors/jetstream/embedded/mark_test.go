package embedded

import (
	"testing"

	"lull/actors/jetstream/integrity"
	"lull/subjects"
)

// A server that has disabled JetStream after a disk error lists no streams. The mark
// must keep them: the next start needs it.
func TestAServerThatGaveItsDiskUpIsNoWitness(t *testing.T) {
	s, err := Start(Config{Dir: t.TempDir(), Pools: []subjects.Pool{"test"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown() //nolint:errcheck // the test is over
	if s.witnesses(s.mu.running, metaFiles{}) == nil {
		t.Fatal("witnesses of a running server = nil, want some")
	}
	if err := s.mu.running.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	if seen := s.witnesses(s.mu.running, metaFiles{}); seen != nil {
		t.Errorf("witnesses of a server without JetStream = %v, want none", seen)
	}
}

// A stream that this server never listed stays in the mark, so that the next start reports
// its loss again. A stream that it listed before was deleted on purpose.
func TestTheMarkForgetsWhatWasDeletedAlone(t *testing.T) {
	at := func(last uint64) integrity.Witness {
		return integrity.Witness{Last: last, Meta: []byte(`{"created":"2026-01-02T03:04:05Z"}`)}
	}
	m := &marker{known: map[string]integrity.Witness{"lost": at(7), "here": at(9)}, listed: map[string]bool{}}
	if m.note(nil) {
		t.Error("note(nil) = true, want false for a server without a disk")
	}
	m.note(map[string]integrity.Witness{"here": at(8), "new": at(1)})
	if got := m.known["here"].Last; got != 9 {
		t.Errorf("last sequence of here = %d, want 9", got)
	}
	anew := integrity.Witness{Last: 2, Meta: []byte(`{"created":"2027-01-02T03:04:05Z"}`)}
	m.note(map[string]integrity.Witness{"here": anew})
	if len(m.known) != 2 || m.known["lost"].Last != 7 || m.known["here"].Last != 2 {
		t.Errorf("known = %+v, want lost at 7, here at 2", m.known)
	}
}
