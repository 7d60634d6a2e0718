package report

import (
	"strings"
	"testing"
)

func example() *Report {
	return &Report{
		Name:   "speed",
		Rows:   []Row{{{"way", "ours"}, {"per_s", 12.5}}, {{"way", "theirs"}, {"per_s", 10.0}}},
		Checks: []Check{AtLeast("ours over theirs", 1.25, 1), AtMost("memory, MB", 200, 150)},
	}
}

func TestJSONKeepsTheOrderOfCells(t *testing.T) {
	var b strings.Builder
	if err := example().Write(&b, "json"); err != nil {
		t.Fatal(err)
	}
	want := `{"name":"speed","rows":[{"way":"ours","per_s":12.5},{"way":"theirs","per_s":10}],` +
		`"checks":[{"what":"ours over theirs","value":1.25,"bound":1,"holds":true},` +
		`{"what":"memory, MB","value":200,"bound":150,"holds":false}]}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
}

func TestTableSaysWhichChecksHold(t *testing.T) {
	var b strings.Builder
	if err := example().Write(&b, "table"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"way     per_s", "ours    12.5", "holds   ours over theirs: 1.25 (≥ 1)", "misses  memory, MB: 200 (≤ 150)",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no line with %q in:\n%s", want, b.String())
		}
	}
}

func TestUnknownFormIsNamed(t *testing.T) {
	if err := example().Write(&strings.Builder{}, "xml"); err == nil || !strings.Contains(err.Error(), "xml") {
		t.Errorf("got %v", err)
	}
}
