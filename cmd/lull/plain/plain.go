package plain

import (
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// colour is the only sequence that lull itself prints within a text.
var colour = regexp.MustCompile(`^\x1b\[[0-9;:]*m`)

// Text returns s with control characters in the notation of cat -v. Bytes that are no UTF-8,
// and characters that only steer a terminal, become U+FFFD.
func Text(s string) string {
	if !strings.ContainsFunc(s, isControl) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		if sgr := colour.FindString(s); sgr != "" && !conceals(sgr) {
			b.WriteString(sgr)
			s = s[len(sgr):]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		switch {
		case !isControl(r):
			b.WriteRune(r)
		case r <= unicode.MaxASCII:
			b.WriteString("^" + string(r^0x40))
		default:
			b.WriteRune(utf8.RuneError)
		}
	}
	return b.String()
}

// conceals reports whether a sequence of colours conceals the text after it. A task could use that to hide
// the lines below its output from an operator.
func conceals(sgr string) bool {
	codes := strings.FieldsFunc(sgr[2:len(sgr)-1], func(r rune) bool { return r == ';' || r == ':' })
	for i := 0; i < len(codes); i++ {
		switch strings.TrimLeft(codes[i], "0") {
		case "38", "48", "58": // what follows chooses a colour
			i += colorCodeCount(codes[i+1:])
		case "8":
			return true
		}
	}
	return false
}

// colorCodeCount returns the number of codes that choose a colour: one of 256, or three shares.
func colorCodeCount(codes []string) int {
	if len(codes) == 0 {
		return 0
	}
	return map[string]int{"5": 2, "2": 4}[strings.TrimLeft(codes[0], "0")]
}

// Line is Text on one line: in a table, a line end would begin a false row.
func Line(s string) string {
	return Text(strings.NewReplacer("\n", " ", "\t", " ").Replace(s))
}

// isControl reports whether a character makes a terminal do something else than show it: C0 and C1
// controls, and those that change the direction of the text after them.
func isControl(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return unicode.IsControl(r)
}

// Writer passes on what Text makes of each write.
type Writer struct{ Forward io.Writer }

// NewWriter returns a Writer. A sequence or a character that is split between two writes is not
// passed on as one.
func NewWriter(to io.Writer) *Writer { return &Writer{to} }

func (w *Writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.Forward, Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
