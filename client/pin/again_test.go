package pin

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lull/subjects/spec"
)

func TestAgainFindsWhatChanged(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b", "[c]"} {
		write(name, "1\n")
	}
	in, err := Files(t.Context(), folder, []string{"*"})
	if err != nil {
		t.Fatal(err)
	}
	pinned := slices.Collect(spec.Splits(in.Files, 0, 0))
	if changed, err := Again(t.Context(), pinned); err != nil || len(changed) != 0 {
		t.Errorf("Again of unchanged files = %v, %v, want none", changed, err)
	}
	write("[c]", "12")
	changed, err := Again(t.Context(), pinned)
	path := filepath.Join(folder, "[c]")
	if got := slices.Collect(maps.Keys(changed)); err != nil || len(got) != 1 || got[0] != path {
		t.Fatalf("Again after %s changed = %v, %v, want it alone", path, got, err)
	}
	if f := changed[path]; f.Size != 2 || f.MTime == 0 || f.Tag == "" || !f.Unended {
		t.Errorf("Again pins %+v, want 2 bytes with time and tag, and no line end", f)
	}
	if err := os.Remove(filepath.Join(folder, "a")); err != nil {
		t.Fatal(err)
	}
	if _, err := Again(t.Context(), pinned); err == nil || !strings.Contains(err.Error(), "submit the job's document as a new job") {
		t.Errorf("Again without a file = %v, want an error that says what to do", err)
	}
}
