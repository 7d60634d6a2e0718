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
		t.Fatalf("templates = %v, %v, want one for each of %v", files, err, kinds)
	}
	for _, file := range files {
		kind := strings.TrimSuffix(path.Base(file), ".yaml")
		body, err := templates.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := spec.Parse(body)
		if err != nil {
			t.Errorf("Parse(template %s) = %v, want no error", kind, err)
			continue
		}
		if doc.Name != kind || !slices.Contains(kinds, kind) {
			t.Errorf("name in template %s = %s, want the template's, one of %v", kind, doc.Name, kinds)
		}
	}
}
