package spec

import (
	"regexp"
	"strings"
)

// notPipeline matches, from left to right, the parts of a line of shell in which a | makes no pipeline: what is quoted
// or behind a backslash, comments, a case with its patterns, the or of two commands, and a redirection that overwrites.
var notPipeline = regexp.MustCompile(`'[^']*'|"(?s:\\.|[^"\\])*"|(?s:\\.)|(?m:(?:^|\s)#.*$)|(?s:\bcase\b.*?\besac\b)|\|\||>\|`)

// hereDocument matches the beginning of a here-document, with the word that ends it.
var hereDocument = regexp.MustCompile(`<<-?[ \t]*\\?['"]?(\w+)['"]?`)

// hasPipeline reports whether a line of shell has a pipeline. It does not parse the shell's language: it misses a
// pipeline within quotes or a case.
func hasPipeline(line string) bool {
	return strings.Contains(notPipeline.ReplaceAllString(withoutDocuments(line), " "), "|")
}

// withoutDocuments leaves out the lines of here-documents.
func withoutDocuments(line string) string {
	var kept strings.Builder
	end := ""
	for text := range strings.Lines(line) {
		if end != "" {
			if strings.TrimSpace(text) == end {
				end = ""
			}
			continue
		}
		kept.WriteString(text)
		if m := hereDocument.FindStringSubmatch(text); m != nil {
			end = m[1]
		}
	}
	return kept.String()
}
