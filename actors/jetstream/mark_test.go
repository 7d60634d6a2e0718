package jetstream

import (
	"testing"

	"lull/subjects"
)

// A server that has disabled JetStream after a disk error lists no streams. The mark
// must keep them: the next start needs it.
func TestAServerThatGaveItsDiskUpIsNoWitness(t *testing.T) {
	s, err := Start(EmbeddedConfig{Dir: t.TempDir(), Pools: []subjects.Pool{"test"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown() //nolint:errcheck // the test is over
	if s.witnesses(s.mu.running, metaFiles{}) == nil {
		t.Fatal("a running server reports no streams")
	}
	if err := s.mu.running.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	if seen := s.witnesses(s.mu.running, metaFiles{}); seen != nil {
		t.Errorf("a server without JetStream reports streams %v", seen)
	}
}
