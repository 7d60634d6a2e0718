package report

import (
	"encoding/json"
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
		t.Errorf("Write(json) = %swant %s", b.String(), want)
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
			t.Errorf("Write(table) =\n%swant a line with %q", b.String(), want)
		}
	}
}

func TestThePapersFigureStandsBesideTheCheck(t *testing.T) {
	c := AtMost("hours", 68, 72).WithPaper(67.95)
	if got, want := c.String(), "holds   hours: 68 (≤ 72; the paper: 67.95)"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	body, err := json.Marshal(c)
	if err != nil || !strings.Contains(string(body), `"paper":67.95`) {
		t.Errorf("json.Marshal(check) = %s, %v, want it to contain \"paper\":67.95", body, err)
	}
}

func TestUnknownFormIsNamed(t *testing.T) {
	if err := example().Write(&strings.Builder{}, "xml"); err == nil || !strings.Contains(err.Error(), "xml") {
		t.Errorf("Write(xml) = %v, want an error that names xml", err)
	}
}

func TestMissedNamesWhatIsNotKnownToMiss(t *testing.T) {
	r := example()
	if err := r.Missed(); err == nil || !strings.Contains(err.Error(), "memory, MB") || strings.Contains(err.Error(), "ours") {
		t.Errorf("Missed() = %v, want an error that names memory, MB alone", err)
	}
	r.Checks[1] = r.Checks[1].Unreached()
	if err := r.Missed(); err != nil {
		t.Errorf("Missed() after Unreached = %v, want no error", err)
	}
	if text := r.Checks[1].String(); !strings.HasPrefix(text, "misses") {
		t.Errorf("String() after Unreached = %q, want it to begin with misses", text)
	}
}
