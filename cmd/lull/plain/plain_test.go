package plain

import (
	"bytes"
	"testing"
)

func TestNothingSteersTheTerminal(t *testing.T) {
	for text, want := range map[string]string{
		"as it is:\ta line\nand \x1b[1;38;5;9mone in red\x1b[0m, Grüße 日本\n": "as it is:\ta line\nand \x1b[1;38;5;9mone in red\x1b[0m, Grüße 日本\n",
		"\x1b[2Jcleared":           "^[[2Jcleared",
		"\x1b]0;title\x07":         "^[]0;title^G",
		"\x1b]52;c;YQ==\x1b\\":     "^[]52;c;YQ==^[\\",
		"over\rwritten\b\x7f":      "over^Mwritten^H^?",
		"\u009b2J":                 "\ufffd2J",
		"\x9b2J":                   "\ufffd2J",
		"\u202egpj.exe":            "\ufffdgpj.exe",
		"\x1b[8mhidden":            "^[[8mhidden",
		"\x1b[1;08;31mhidden":      "^[[1;08;31mhidden",
		"\x1b[38;5;1;8mhidden":     "^[[38;5;1;8mhidden",
		"\x1b[38;8mhidden":         "^[[38;8mhidden",
		"\x1b[38;5;8mgrey":         "\x1b[38;5;8mgrey",
		"\x1b[48;2;8;8;8mon grey":  "\x1b[48;2;8;8;8mon grey",
		"an end within \x1b[1":     "an end within ^[[1",
		"\x1b[1\x1b[2Jm":           "^[[1^[[2Jm",
		"a null \x00, an ETX \x03": "a null ^@, an ETX ^C",
	} {
		if got := Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
	if got, want := Line("one\ntwo\t\x1b[2J"), "one two ^[[2J"; got != want {
		t.Errorf("Line() = %q, want %q", got, want)
	}
}

// What is harmful only as a whole comes in two writes.
func TestWritesAddUpToNoSequence(t *testing.T) {
	for _, parts := range [][]string{{"\x1b", "[2J"}, {"\xc2", "\x9b2J"}, {"\x1b[1", "m\x1b]0;x"}} {
		var b bytes.Buffer
		w := NewWriter(&b)
		for _, part := range parts {
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Errorf("Write(%q) = %d, %v, want %d", part, n, err, len(part))
			}
		}
		if got := Text(b.String()); got != b.String() {
			t.Errorf("writes of %q give %q, want %q", parts, b.String(), got)
		}
	}
}
