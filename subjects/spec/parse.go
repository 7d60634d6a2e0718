package spec

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"lull/subjects/wire"
)

// MaxDoc bounds a document, in bytes. Longer lists of tasks go by reference.
const MaxDoc = 8 << 20

// Parse reads a document in YAML or JSON. Errors are of type *Error.
func Parse(doc []byte) (*Doc, error) {
	root, err := tree(doc)
	if err != nil {
		return nil, err
	}
	d := &Doc{source: doc, root: root}
	if err := d.read(value{doc: d, node: root}); err != nil {
		return nil, err
	}
	if _, err := d.draft(); err != nil {
		return nil, err
	}
	return d, nil
}

// ParseWire reads a document that came as a message: JSON, msgpack, or YAML.
func ParseWire(body []byte) (*Doc, error) {
	if !packed(body) {
		return Parse(body)
	}
	doc, err := wire.ToJSON(body)
	if err != nil {
		return nil, faultf("", "%v: send the document as one msgpack map, or as JSON", err)
	}
	return Parse(doc)
}

// packed says whether b begins like a msgpack map. No text does: these bytes
// cannot begin a character in UTF-8.
func packed(b []byte) bool {
	return len(b) > 0 && (b[0]&0xf0 == 0x80 || b[0] == 0xde || b[0] == 0xdf)
}

// tree parses the text into a syntax tree with positions.
func tree(doc []byte) (ast.Node, error) {
	if len(doc) > MaxDoc {
		return nil, faultf("", "the document has %d bytes, at most %d are allowed: put the task list into a file and name it in each:, or use inputs:", len(doc), MaxDoc)
	}
	if !utf8.Valid(doc) || bytes.IndexByte(doc, 0) >= 0 {
		return nil, faultf("", "the document is not text in UTF-8: write YAML or JSON")
	}
	tokens := lexer.Tokenize(string(doc))
	if err := plain(doc, tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntax(doc, err)
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, faultf("", "the document is empty: a job needs a name and stages")
	}
	if len(file.Docs) > 1 {
		return nil, faultf("", "there is more than one document: submit one job at a time").at(doc, file.Docs[1].GetToken())
	}
	return file.Docs[0].Body, nil
}

// syntax turns the parser's error into ours.
func syntax(doc []byte, err error) error {
	var at yaml.Error
	if errors.As(err, &at) {
		return faultf("", "%s", at.GetMessage()).at(doc, at.GetToken())
	}
	return faultf("", "%v", err)
}

// maxNesting bounds how deep lists and maps may stand in each other. The
// parser takes time in the square of it, and stack.
const maxNesting = 32

// plain refuses, before the parser sees them, the parts of YAML that a job
// does not need and that make a short document a large one.
func plain(doc []byte, tokens token.Tokens) error {
	flow, onLine, line := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, onLine = t.Position.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			return faultf("", "anchors, aliases and merge keys are not supported: write the value where it belongs").at(doc, t)
		case token.TagType, token.DirectiveType, token.MappingKeyType:
			return faultf("", "tags, directives and '?' keys are not supported: write plain YAML or JSON").at(doc, t)
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow--
		case token.SequenceEntryType:
			onLine++
		case token.MappingValueType:
			if flow <= 0 {
				onLine++
			}
		}
		if flow > maxNesting || onLine > maxNesting {
			return faultf("", "lists and maps nest deeper than %d levels: a job needs far fewer", maxNesting).at(doc, t)
		}
	}
	return nil
}
