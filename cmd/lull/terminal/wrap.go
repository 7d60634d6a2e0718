package terminal

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a text into lines of at most width columns that are indented by hang columns, the first one by lead.
func Wrap(lead, text string, hang, width int) (lines []string) {
	line, used := lead, hang
	for i, word := range strings.Fields(text) {
		long := utf8.RuneCountInString(word)
		switch {
		case i > 0 && used+1+long > width:
			lines = append(lines, line)
			line, used = strings.Repeat(" ", hang)+word, hang+long
		case i > 0:
			line, used = line+" "+word, used+1+long
		default:
			line, used = line+word, used+long
		}
	}
	return append(lines, line)
}

// Hang wraps the lines that are wider than width columns. Their text begins at column at, and goes on there in
// the next line. A width of 0 wraps nothing.
func Hang(text string, at, width int) string {
	if width <= 0 {
		return text
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if runes := []rune(line); len(runes) > max(width, at) {
			out = append(out, Wrap(string(runes[:at]), string(runes[at:]), at, max(width, at+20))...)
		} else {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
