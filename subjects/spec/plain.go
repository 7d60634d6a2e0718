package spec

import "github.com/goccy/go-yaml/token"

// What the parser is given is bounded, because its time and stack grow with
// the square of these.
const (
	// maxNesting is how deep lists and maps may stand in each other.
	maxNesting = 32
	// maxKeys is how many keys may stand in block style, outside braces: 65,000
	// in one map, 320 KB, kept the parser busy for 12 s; 8,192 for 0.2 s.
	maxKeys = 8192
)

const tooDeep = "lists and maps nest deeper than 32 levels: a job needs far fewer"

// plain refuses, before the parser sees them, what would keep it busy for long
// and the parts of YAML that a job does not need: with aliases, a short
// document is a large one.
func plain(doc []byte, tokens token.Tokens) error {
	var n nesting
	for _, t := range tokens {
		if text := n.read(t); text != "" {
			return faultf("", "%s", text).at(doc, t)
		}
	}
	return nil
}

// nesting counts what the tokens so far have opened.
type nesting struct {
	flow   int // brackets and braces
	keys   int // in block style
	line   int
	onLine int // block lists and maps that begin on this line, as in "- - -"
}

// read takes the next token and returns what is wrong with it, "" for nothing.
func (n *nesting) read(t *token.Token) string {
	if t.Position.Line != n.line {
		n.line, n.onLine = t.Position.Line, 0
	}
	switch t.Type {
	case token.AnchorType, token.AliasType, token.MergeKeyType:
		return "anchors, aliases and merge keys are not supported: write the value where it belongs"
	case token.TagType, token.DirectiveType, token.MappingKeyType:
		return "tags, directives and '?' keys are not supported: write plain YAML or JSON"
	case token.MappingStartType, token.SequenceStartType:
		n.flow++
	case token.MappingEndType, token.SequenceEndType:
		n.flow--
	case token.SequenceEntryType:
		n.onLine++
	case token.MappingValueType:
		n.key()
	}
	switch {
	case n.flow > maxNesting || n.onLine > maxNesting:
		return tooDeep
	case n.keys > maxKeys:
		return "the document has more than 8192 keys outside braces: write long lists in JSON"
	}
	return ""
}

func (n *nesting) key() {
	if n.flow <= 0 {
		n.onLine++
		n.keys++
	}
}
