package jetstream

import (
	"testing"

	"lull/subjects"
)

// A server that gives its disk up lists no streams. The mark must not forget them:
// the next start needs it most.
func TestAServerThatGaveItsDiskUpIsNoWitness(t *testing.T) {
	s, err := Start(EmbeddedConfig{Dir: t.TempDir(), Pools: []subjects.Pool{"test"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown() //nolint:errcheck // the test is over
	if s.witnesses(s.mu.running, metaFiles{}) == nil {
		t.Fatal("a server without streams says nothing")
	}
	if err := s.mu.running.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	if seen := s.witnesses(s.mu.running, metaFiles{}); seen != nil {
		t.Errorf("it is believed to hold %v", seen)
	}
}
