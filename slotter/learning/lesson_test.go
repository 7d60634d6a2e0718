package learning

import (
	"fmt"
	"testing"

	"lull/subjects/ledger"
)

func TestOnlySoManyTypesAreRemembered(t *testing.T) {
	state := ledger.New()
	var s Lessons
	for i := range maxTypes + 10 {
		s.of(state, fmt.Sprintf("type-%05d", i), uint64(i))
		s.of(state, "type-00000", uint64(i))
	}
	if len(s) != maxTypes {
		t.Errorf("%d types are kept, want %d", len(s), maxTypes)
	}
	_, used := s.indexOf("type-00000")
	_, idle := s.indexOf("type-00001")
	if !used || idle {
		t.Errorf("kept: the type in use %v, the one idle longest %v, want true, false", used, idle)
	}
}
