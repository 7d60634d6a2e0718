package spec

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/token"
)

// Error is what is wrong with a document or a Job, and where.
type Error struct {
	Path   string // such as stages[1].cpu; "" for the document as a whole
	Text   string // one sentence that says what to do
	Line   int    // from 1; 0 when the value did not come from a document
	Column int    // from 1, in characters
	Source string // the line and the one before it, with a caret below
}

// Error gives the place, the sentence and the source.
func (e *Error) Error() string {
	text := e.Text
	if e.Path != "" {
		text = e.Path + ": " + text
	}
	if e.Line == 0 {
		return text
	}
	return fmt.Sprintf("line %d, column %d: %s\n%s", e.Line, e.Column, text, e.Source)
}

// Bounds of an Error, in bytes: it quotes a document, in which a single key, value or
// word may take a megabyte.
const (
	maxErrorPath = 200
	maxErrorText = 1000
	maxQuote     = 300
)

func faultf(path, format string, args ...any) *Error {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = shorten(text, maxQuote)
		}
	}
	return &Error{Path: shorten(path, maxErrorPath), Text: shorten(fmt.Sprintf(format, args...), maxErrorText)}
}

// shorten cuts out the middle of a text that is too long, and keeps both ends.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most / 4
	return strings.ToValidUTF8(text[:most-end-len("…")], "") + "…" + strings.ToValidUTF8(text[len(text)-end:], "")
}

// at returns e with its place in the source.
func (e *Error) at(source []byte, t *token.Token) *Error {
	if t == nil || t.Position == nil {
		return e
	}
	e.Line, e.Column = max(t.Position.Line, 1), max(t.Position.Column, 1)
	if t.Position.Line == fromOffset {
		e.Line, e.Column = lineOf(source, t.Position.Offset)
	}
	e.Source = excerpt(string(source), e.Line, e.Column)
	return e
}

// maxExcerpt is how much of a line an excerpt shows: a document may be one
// line of a megabyte.
const maxExcerpt = 100

// excerpt renders the line, the one before it, and a caret.
func excerpt(source string, line, column int) string {
	lines := strings.SplitN(source, "\n", line+1)
	if line > len(lines) {
		line = len(lines)
	}
	start := 0
	if column > maxExcerpt*3/4 {
		start = column - 1 - maxExcerpt/2
	}
	var b strings.Builder
	for n := max(1, line-1); n <= line; n++ {
		fmt.Fprintf(&b, "%5d | %s\n", n, clip(lines[n-1], start))
	}
	fmt.Fprintf(&b, "      | %s^", strings.Repeat(" ", column-1-start))
	return b.String()
}

// clip shows a window of a line, with every control character as a space so
// that the caret stands below what it means.
func clip(line string, start int) string {
	line = strings.TrimSuffix(line, "\r")
	line = line[width(line, start):]
	line = line[:width(line, maxExcerpt)]
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, line), " ")
}

// width is how many bytes the first n characters of a line take.
func width(line string, n int) int {
	for i := range line {
		if n == 0 {
			return i
		}
		n--
	}
	return len(line)
}
