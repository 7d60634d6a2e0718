package spec

import "github.com/goccy/go-yaml/token"

// What the parser is given is bounded, because its time and stack grow with
// the square of these.
const (
	// maxNesting is how deep lists and maps may stand in each other.
	maxNesting = 32
	// maxKeys is how many keys may be in block style, outside braces. 65,000 in one map, 320 KB,
	// kept the parser busy for 12 s; 8,192 take 0.2 s.
	maxKeys = 8192
	// maxEmpty is how many keys and entries may have no value: for each one the parser
	// moves all tokens that follow. 60,000 in one map, 120 KB, took 10 s; 1024 take 0.1 s.
	maxEmpty = 1024
	// maxParts is how many lines may begin or end a document. One document needs two, and for each
	// one the parser scans all that follows.
	maxParts = 4
)

const several = "there is more than one document: submit one job at a time"

// maxGap is how many lines in a row may be empty: behind a text in block style, the lexer copies
// all of the text for each one. 50,000 after a short text took 5 s.
const maxGap = 64

// gap returns the number of the first line before which more lines are empty, 0 for none.
func gap(doc []byte) int {
	line, empty := 1, 0
	for i, c := range doc {
		switch c {
		case '\n':
			line, empty = line+1, empty+1
		case '\r':
			if i+1 == len(doc) || doc[i+1] != '\n' {
				line, empty = line+1, empty+1
			}
		case ' ', '\t':
		default:
			if empty > maxGap+1 {
				return line
			}
			empty = 0
		}
	}
	if empty > maxGap+1 {
		return line
	}
	return 0
}

const tooDeep = "lists and maps are nested more than 32 levels deep: use fewer levels"

// plain refuses, before the parser sees them, what would keep it busy for long, and the parts of
// YAML that a job does not need: with aliases, a short document is a large one.
func plain(doc []byte, tokens token.Tokens) error {
	var n nesting
	for _, t := range tokens {
		before := n.last
		if text := n.read(t); text != "" {
			return faultf("", "%s", text).at(doc, t)
		}
		if err := glyph(doc, t, before); err != nil {
			return err
		}
	}
	return nil
}

// nesting counts what the tokens so far have opened.
type nesting struct {
	flow   []entry // brackets and braces
	keys   int     // in block style
	line   int
	onLine int // block lists and maps that begin on this line, as in "- - -"
	empty  int // keys and entries without a value
	parts  int // lines that begin or end a document
	last   *token.Token
}

// entry is what has been read of the present entry of a list or map in flow style.
type entry struct {
	braces bool
	key    bool // it has a colon
	none   bool // nothing of it has been read
}

// read takes the next token and returns what is wrong with it, "" for nothing.
func (n *nesting) read(t *token.Token) string {
	if t.Position.Line != n.line {
		n.line, n.onLine = t.Position.Line, 0
	}
	n.follow(t)
	switch t.Type {
	case token.AnchorType, token.AliasType, token.MergeKeyType:
		return "anchors, aliases and merge keys are not supported: write the value where it belongs"
	case token.TagType, token.DirectiveType, token.MappingKeyType:
		return "tags, directives and '?' keys are not supported: write plain YAML or JSON"
	case token.DocumentHeaderType, token.DocumentEndType:
		n.parts++
	case token.SequenceEntryType:
		n.onLine++
	case token.MappingValueType:
		if len(n.flow) == 0 {
			n.onLine++
			n.keys++
		}
	}
	switch {
	case len(n.flow) > maxNesting || n.onLine > maxNesting:
		return tooDeep
	case n.parts > maxParts:
		return several
	case n.keys > maxKeys:
		return "the document has more than 8192 keys outside braces: write long lists in JSON"
	case n.empty > maxEmpty:
		return "the document has more than 1024 keys and entries without a value: give them one or leave them out"
	}
	return ""
}

// follow counts what has no value, now that the next token is known.
func (n *nesting) follow(t *token.Token) {
	last := n.last
	n.last = t
	if last != nil && last.Type == token.SequenceEntryType && t.Position.Line > last.Position.Line && t.Position.Column <= last.Position.Column {
		n.empty++
	}
	switch t.Type {
	case token.MappingStartType, token.SequenceStartType:
		n.inside(func(e *entry) { e.none = false })
		n.flow = append(n.flow, entry{braces: t.Type == token.MappingStartType, none: true})
	case token.MappingEndType, token.SequenceEndType:
		n.ends(last)
		n.flow = n.flow[:max(len(n.flow)-1, 0)]
	case token.CollectEntryType:
		n.ends(last)
		n.inside(func(e *entry) { *e = entry{braces: e.braces, none: true} })
	case token.MappingValueType:
		n.inside(func(e *entry) { e.key, e.none = true, false })
	default:
		n.inside(func(e *entry) { e.none = false })
	}
}

// ends notes the end of an entry in flow style.
func (n *nesting) ends(last *token.Token) {
	n.inside(func(e *entry) {
		if e.braces && !e.key && !e.none || e.key && last.Type == token.MappingValueType {
			n.empty++
		}
	})
}

// inside changes the present entry of the innermost list or map in flow style.
func (n *nesting) inside(change func(*entry)) {
	if at := len(n.flow) - 1; at >= 0 {
		change(&n.flow[at])
	}
}
