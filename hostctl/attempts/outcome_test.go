package attempts

import (
	"strings"
	"testing"

	"lull/subjects/spec"
)

func TestALimitIsNamedAsItWasWritten(t *testing.T) {
	for memory, want := range map[int64]string{50e6: " 50 MB:", 64 << 20: " 64 MiB:", 1.5e9: " 1500 MB:"} {
		if text := overLimit(&spec.Stage{Name: "map", Memory: memory}); !strings.Contains(text, want) {
			t.Errorf("overLimit(%d bytes) = %q, want %q in it", memory, text, want)
		}
	}
}
