package spec

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestDocumentsOfTheDefinitionAreFresh compares what stands in docs/ with what the definition says.
func TestDocumentsOfTheDefinitionAreFresh(t *testing.T) {
	schema, err := DocumentSchema().JSON()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"job.schema.json": string(schema), "documents.md": reference()} {
		file := filepath.Join("../../docs", name)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s is not what the definition says (%v): go test ./subjects/spec -update", file, err)
		}
	}
}

func TestEveryFieldIsDescribed(t *testing.T) {
	var walk func(path string, s *Schema)
	walk = func(path string, s *Schema) {
		for name, property := range s.Properties {
			if !strings.HasSuffix(strings.TrimSuffix(property.Description, "`"), ".") {
				t.Errorf("%s.%s is described as %q: write sentences", path, name, property.Description)
			}
			walk(path+"."+name, property)
		}
		if s.Items != nil {
			walk(path+"[]", s.Items)
		}
		for _, way := range s.AnyOf {
			walk(path, way)
		}
	}
	walk("", DocumentSchema())
}

// beyond are the bad documents with a fault that a schema cannot express.
var beyond = strings.Fields(`anchor bad-name by-task-count cpu-fine cycle dash-name deadline duplicate-key duplicate-stage
	equals own-variable from-without-by list-without-tasks matrix-exclude matrix-large
	matrix-name matrix-and-tasks range-reversed range-large range-endless range-digits memory-without-unit no-way number-as-key partition-without-tasks
	partitions-disagree reserved-name self source-name split-and-group split-without-inputs splits-count
	tasks-and-inputs too-many-tasks two-ways unknown-after unknown-stage range deadline-far deadline-long
	backoff-long timeout-long grace-long warn-alone warn-late stdin shell-of-list shell-without-c`)

func TestTheSchemaAgreesWithTheParser(t *testing.T) {
	schema := readSchema(t)
	good, _ := filepath.Glob("../../examples/*.yaml")
	bad, _ := filepath.Glob("testdata/bad/*.yaml")
	if len(good) < 3 || len(bad) < 40 {
		t.Fatalf("testdata has %d good documents and %d bad ones, want at least 3 and 40", len(good), len(bad))
	}
	for _, file := range slices.Concat(good, bad) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := yaml.Unmarshal(source, &doc); err != nil {
			continue // no editor asks a schema about it
		}
		fault := schema.fault(doc)
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		switch valid := slices.Contains(good, file) || slices.Contains(beyond, name); {
		case valid && fault != "":
			t.Errorf("%s against the schema = %s, want no fault", file, fault)
		case !valid && fault == "":
			t.Errorf("%s against the schema has no fault, want one", file)
		}
	}
}

// readSchema reads the schema that docs/ holds, as an editor does.
func readSchema(t *testing.T) *Schema {
	body, err := os.ReadFile("../../docs/job.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s Schema
	if err := json.Unmarshal(body, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// fault says what a schema has against a value, "" for nothing.
func (s *Schema) fault(v any) string {
	if len(s.AnyOf) > 0 && !slices.ContainsFunc(s.AnyOf, func(way *Schema) bool { return way.fault(v) == "" }) {
		return "none of the ways fits"
	}
	switch v := v.(type) {
	case map[string]any:
		return s.objectFault(v)
	case []any:
		return s.listFault(v)
	case string:
		if s.Type != "" && s.Type != "string" || len(v) < s.MinLength || s.Enum != nil && !slices.Contains(s.Enum, v) ||
			s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(v) {
			return "text " + v
		}
	case uint64:
		return s.numberFault(int64(v))
	case int64:
		return s.numberFault(v)
	case float64:
		if s.Type != "" && s.Type != "number" || s.Minimum != nil && !(v >= *s.Minimum) || s.Maximum != nil && !(v <= *s.Maximum) {
			return "a fraction"
		}
	case bool:
		if s.Type != "" && s.Type != "boolean" {
			return "a truth value"
		}
	case nil:
		return "nothing"
	}
	return ""
}

func (s *Schema) numberFault(n int64) string {
	if s.Type != "" && s.Type != "integer" && s.Type != "number" || s.Minimum != nil && float64(n) < *s.Minimum || s.Maximum != nil && float64(n) > *s.Maximum {
		return "a number"
	}
	return ""
}

func (s *Schema) listFault(list []any) string {
	if s.Type != "" && s.Type != "array" || len(list) < s.MinItems {
		return "a list"
	}
	for _, item := range list {
		if s.Items != nil && s.Items.fault(item) != "" {
			return "in a list: " + s.Items.fault(item)
		}
	}
	return ""
}

func (s *Schema) objectFault(m map[string]any) string {
	if s.Type != "" && s.Type != "object" {
		return "a map"
	}
	for _, name := range s.Required {
		if _, ok := m[name]; !ok {
			return name + " is missing"
		}
	}
	for name, v := range m {
		property := s.Properties[name]
		switch {
		case property != nil:
			if fault := property.fault(v); fault != "" {
				return name + ": " + fault
			}
		case s.Additional == false:
			return name + " is unknown"
		}
	}
	return ""
}
