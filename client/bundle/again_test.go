package bundle

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lull/subjects/spec"
)

func TestAgainPacksWhatChanged(t *testing.T) {
	folder := tree(t, "run.sh", "lib/a.py", "conf")
	files := append(from("run.sh", "lib/"), spec.DocFile{From: "conf", Mode: "0600"})
	was, names, err := Pack(t.Context(), folder, files, spec.MaxSent)
	if err != nil {
		t.Fatal(err)
	}
	if b, changed, err := Again(t.Context(), folder, was, names); err != nil || len(changed) != 0 || !reflect.DeepEqual(b, was) {
		t.Errorf("Again of the same files = %q, changed %q, %v, want the same", list(b), changed, err)
	}
	for name, text := range map[string]string{"run.sh": "new", "lib/b.py": "new"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(folder, "lib/a.py")); err != nil {
		t.Fatal(err)
	}
	b, changed, err := Again(t.Context(), folder, was, names)
	if want := []string{"lib/a.py", "lib/b.py", "run.sh"}; err != nil || !reflect.DeepEqual(changed, want) {
		t.Fatalf("Again = changed %q, %v, want %q", changed, err, want)
	}
	if got, want := list(b), "conf* lib/ lib/b.py* run.sh*"; got != want {
		t.Errorf("Again packs %q, want %q", got, want)
	}
	if _, _, err := Again(t.Context(), t.TempDir(), was, names); err == nil || !strings.Contains(err.Error(), "--folder") {
		t.Errorf("Again in another folder = %v, want an error that names --folder", err)
	}
}
