package spec

import (
	"fmt"
	"slices"
	"strings"
)

// reference returns the reference of documents, in Markdown.
func reference() string {
	var b strings.Builder
	b.WriteString(referenceHead)
	for _, part := range []struct {
		title  string
		fields []field
	}{
		{"A job", new(Doc).fields()},
		{"`deadline:` as a map", new(Doc).deadlineFields()},
		{"A stage: `stages[]`", new(DocStage).fields()},
		{"What a stage reads: `from[]`", new(DocFrom).fields()},
		{"What is sent along: `files[]`", new(DocFile).fields()},
		{"Files in the pool: `sent[]`", new(Sent).fields()},
		{"A split: `splits[]`", new(Split).fields()},
		{"A piece of a file: `ranges[]`", new(Range).fields()},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n| field | value | meaning |\n|---|---|---|\n", part.title)
		for i := range part.fields {
			f := &part.fields[i]
			meaning := f.doc
			if f.must {
				meaning = "**Required.** " + meaning
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.name, f.form(f).words(), meaning)
		}
	}
	return b.String()
}

const referenceHead = `# Job documents

What a document may say, in YAML or JSON. This page is printed by the definition that parses documents:
` + "`go test ./subjects/spec -update` rewrites it, and [job.schema.json](job.schema.json), which `lull schema` prints too." + `

An editor with a YAML language server completes and checks a document that begins with this line:

` + "```yaml\n# yaml-language-server: $schema=./job.schema.json\n```" + `

` + "`lull schema > job.schema.json` writes the schema beside the document; `lull validate FILE` also checks what a schema cannot say." + `
`

// words says in a few words what may stand in a field.
func (s *Schema) words() string {
	switch {
	case len(s.AnyOf) > 0:
		var ways []string
		for _, way := range s.AnyOf {
			if text := way.words(); !slices.Contains(ways, text) {
				ways = append(ways, text)
			}
		}
		return strings.Join(ways, ", or ")
	case len(s.Enum) > 0:
		return "`" + strings.Join(s.Enum, "`, `") + "`"
	case s.Pattern == durationPattern:
		return "duration, such as `90s`, `2h30m`"
	case s.Pattern == sizePattern:
		return "size, such as `64MB`, `1.5GiB`"
	}
	return s.typeWords()
}

func (s *Schema) typeWords() string {
	switch s.Type {
	case "integer":
		if s.Minimum == nil {
			return "whole number"
		}
		if s.Maximum == nil {
			return fmt.Sprintf("whole number from %.0f on", *s.Minimum)
		}
		return fmt.Sprintf("%.0f to %.0f", *s.Minimum, *s.Maximum)
	case "number":
		if s.Minimum != nil && s.Maximum != nil {
			return fmt.Sprintf("number from %v to %v", *s.Minimum, *s.Maximum)
		}
	case "array":
		if s.Items.Type == "object" {
			return "list of maps, see below"
		}
		return "list"
	case "object":
		if len(s.Properties) > 0 {
			return "map, see below"
		}
		return "map of names to text"
	case "string":
		return "text"
	}
	return s.Type
}
