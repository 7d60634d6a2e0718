package jobs

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"lull/subjects/spec"
)

func TestTemplatesAreDocuments(t *testing.T) {
	files, err := fs.Glob(templates, "templates/*.yaml")
	if err != nil || len(files) != len(kinds) {
		t.Fatalf("%v for %v: %v", files, kinds, err)
	}
	for _, file := range files {
		kind := strings.TrimSuffix(path.Base(file), ".yaml")
		body, err := templates.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := spec.Parse(body)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if doc.Name != kind || !slices.Contains(kinds, kind) {
			t.Errorf("%s is called %s", kind, doc.Name)
		}
	}
}
