package spec

import (
	"strings"
	"testing"
)

func TestWhatEditorsPutInPlaceOfSpacesAndQuotes(t *testing.T) {
	for doc, says := range map[string]string{
		"name: j\nstages:\n  - name: a\n    command: echo\u00a0hi\n":        "line 4, column 18: the character U+00A0",
		"name: j\nstages:\n  - name: a\n\u00a0\u00a0  command: x\n":         "line 4, column 1: the character U+00A0",
		"name: j\nstages:\n  - name: a\n    command:\u00a0x\n":              "U+00A0",
		"name: “j”\nstages: [{name: a, command: x}]\n":                      "line 1, column 7: the quote “ (U+201C)",
		"{“name”: \"j\", \"stages\": []}":                                   "line 1, column 2: the quote “",
		"name: j\nstages:\n  - {name: a, command: x, env: {A: ‘b c’}}\n":    "line 3, column 36: the quote ‘",
		"name: j\nstages:\n  - name: a\n    command:\n      - x\u200b\n":    "line 5, column 10: the character U+200B",
		"\ufeffname: j\nstages:\n  - name: a\n    command: x\n    cpu: 0x2": "line 5, column 10: stages[0].cpu: 0x2 is not a decimal number",
		"name: j\nstages:\n  - {name: a, command: x, tasks: 0x2}\n":         "stages[0].tasks: 0x2 is not a decimal number",
		"name: j\nstages:\n  - {name: a, command: x, tasks: 0o17}\n":        "0o17 is not a decimal number",
		"name: j\nstages:\n  - {name: a, command: x, tasks: 0b1}\n":         "0b1 is not a decimal number",
	} {
		if _, err := Parse([]byte(doc)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Parse(%q) = %v, want %q", doc, err, says)
		}
	}
	d := parse(t, "\ufeffname: j\nstages:\n  - {name: a, tasks: 010, cpu: 010, retries: 08, command: \"echo “a\u00a0b”\"}\n  - name: b # a\u00a0comment\n    command: |\n      echo “a\u00a0b”\n")
	if s := d.Stages[0]; s.Tasks != 10 || *s.Retries != 8 || s.CPU != 10*Core || s.Command[2] != "echo “a\u00a0b”" || d.Name != "j" {
		t.Errorf("stage %+v of job %q, want 10 tasks, 8 retries, 10 cores, the command as it is", s, d.Name)
	}
	parse(t, "\ufeff{\"name\": \"j\", \"stages\": [{\"name\": \"a\", \"command\": \"x\"}]}")
}
