package network

import (
	"strings"
	"testing"

	"lull/cmd/lull/commands/listing"
	"lull/subjects"
)

// jq's .above[] fails on null.
func TestMissingListsAreEmptyInJSON(t *testing.T) {
	var out strings.Builder
	if err := listing.Object(&out, neverNull(subjects.LinksAnswer{})); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, "[]") != 4 || strings.Contains(text, "null") {
		t.Errorf("JSON = %s, want 4 empty arrays and no null", text)
	}
}
