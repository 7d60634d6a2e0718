package models

import (
	"strings"
	"testing"

	"lull/cmd/lull/commands/listing"
	"lull/subjects"
)

func TestPlacedTypesAreListed(t *testing.T) {
	var b strings.Builder
	if err := placedTypes(&b, nil); err != nil || b.Len() > 0 {
		t.Errorf("placedTypes(none) = %q, %v, want nothing", b.String(), err)
	}
	err := placedTypes(&b, []subjects.TypeLine{
		{Type: "sort", Runs: 4, Predicted: 50, True: 40, Error: 0.25}, {Type: "join", Runs: 3, Predicted: 100, True: 10, Error: 9, Unfit: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"PLACED TYPE", "25%", "900% UNFIT"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("table lacks %q, want it in\n%s", want, b.String())
		}
	}
}

func TestPlacedTypesForPrograms(t *testing.T) {
	var b strings.Builder
	m := models{format: listing.JSON}
	if err := m.types(&b, []subjects.TypeLine{{Type: "sort", Runs: 4, Predicted: 50, True: 40, Error: 0.25, Unfit: true}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"type"`, `"jobs"`, `"predicted"`, `"took"`, `"error"`, `"unfit"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("JSON lacks %s, want it in %s", want, b.String())
		}
	}
}
