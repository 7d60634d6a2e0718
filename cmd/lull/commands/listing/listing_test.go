package listing

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

type row struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

func show(t *testing.T, format Format, rows []row) string {
	t.Helper()
	var b bytes.Buffer
	cells := func(r row) []string { return []string{r.Name, strings.Repeat("é", r.Size), "end"} }
	if err := Print(&b, format, rows, []string{"NAME", "SIZE", ""}, cells, "nothing"); err != nil {
		t.Fatal(err)
	}
	return ansi.Strip(b.String())
}

func TestPrint(t *testing.T) {
	rows := []row{{"a", 6}, {"longer", 1}}
	if got, want := show(t, Table, rows), "NAME    SIZE\na       éééééé  end\nlonger  é       end\n"; got != want {
		t.Errorf("table =\n%swant\n%s", got, want)
	}
	if got := show(t, Table, nil); got != "nothing\n" {
		t.Errorf("table without rows = %q, want %q", got, "nothing\n")
	}
	if got := show(t, JSON, nil); got != "[]\n" {
		t.Errorf("JSON without rows = %q, want %q", got, "[]\n")
	}
	if got := show(t, JSON, rows[:1]); got != "[\n  {\n    \"name\": \"a\",\n    \"size\": 6\n  }\n]\n" {
		t.Errorf("JSON = %s, want an indented array of one object", got)
	}
}

// A row that is wider than the terminal would go on in the next line.
func TestRowsFitTheTerminal(t *testing.T) {
	text := "JOB  REASON\na    " + strings.Repeat("x", 90) + "\n"
	for width, want := range map[int]int{80: 80, 40: 40, 0: 95, 200: 95} {
		lines := strings.Split(fit(text, width), "\n")
		if got := ansi.StringWidth(lines[1]); got != want || lines[0] != "JOB  REASON" || len(lines) != 3 {
			t.Errorf("fit(text, %d) = %q, want the header and a row of %d columns", width, lines, want)
		}
	}
}

func TestFormatRefusesOthers(t *testing.T) {
	var f Format
	if err := f.Set("yaml"); err == nil || !strings.Contains(err.Error(), "table or json") {
		t.Errorf("Set(yaml) = %v, want an error with table or json", err)
	}
}

// A reason with a line end makes no row of its own.
func TestACellIsOneLine(t *testing.T) {
	var b bytes.Buffer
	cells := func(text string) []string { return []string{text, "x"} }
	if err := Print(&b, Table, []string{"one\ntwo\x1b[2J"}, []string{"A", "B"}, cells, ""); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"); len(rows) != 2 || !strings.HasPrefix(rows[1], "one two^[[2J  x") {
		t.Errorf("rows = %q, want the header and one row without control characters", rows)
	}
}
