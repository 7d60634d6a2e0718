package help

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// width is the width in columns to which help is wrapped: that of the narrowest usual terminal.
const width = 80

// wrapAll wraps the texts of a command and of those below it.
func wrapAll(cmd *cobra.Command) {
	cmd.Long = reflow(cmd.Long)
	for _, sub := range cmd.Commands() {
		wrapAll(sub)
	}
}

// row matches a line that explains a term: the term, a gap, and the beginning of the explanation.
var row = regexp.MustCompile(`^( *\S+(?: \S+)*  +)(\S.*)$`)

// reflow wraps paragraphs and explanations of terms to the width. Other indented lines, such as those of
// a sample file, stay as they are.
func reflow(text string) string {
	var out []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		i++
		lead, hang := "", 0
		if m := row.FindStringSubmatch(line); m != nil {
			lead, line = m[1], m[2]
			hang = utf8.RuneCountInString(lead)
		} else if line == "" || strings.HasPrefix(line, " ") {
			out = append(out, line)
			continue
		}
		for i < len(lines) && continues(lines[i], hang) {
			line += " " + strings.TrimSpace(lines[i])
			i++
		}
		out = append(out, wrap(lead, line, hang)...)
	}
	return strings.Join(out, "\n")
}

// continues reports whether a line belongs to the paragraph above it, which has the given indent.
func continues(line string, indent int) bool {
	text := strings.TrimLeft(line, " ")
	return text != "" && len(line)-len(text) == indent && row.FindString(line) == ""
}

// wrap breaks a text into lines that are indented by hang columns, the first one by lead.
func wrap(lead, text string, hang int) (lines []string) {
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
