package help

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"lull/cmd/lull/terminal"
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
		out = append(out, terminal.Wrap(lead, line, hang, width)...)
	}
	return strings.Join(out, "\n")
}

// continues reports whether a line belongs to the paragraph above it, which has the given indent.
func continues(line string, indent int) bool {
	text := strings.TrimLeft(line, " ")
	return text != "" && len(line)-len(text) == indent && row.FindString(line) == ""
}
