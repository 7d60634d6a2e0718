package spec

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"

	"lull/subjects/wire"
)

// MaxDoc bounds a document, in bytes: what one message carries. Longer lists of
// tasks go by reference.
const MaxDoc = 1 << 20

// maxMarks bounds the punctuation of a document. Each mark is a token, and a
// token takes some 500 bytes: a megabyte of commas would take half a gigabyte.
const maxMarks = 1 << 17

// Parse reads a document in YAML or JSON. Errors are of type *Error.
func Parse(doc []byte) (*Doc, error) {
	doc = bytes.TrimPrefix(doc, []byte(BOM))
	root, err := tree(doc)
	if err != nil {
		return nil, err
	}
	return parsed(doc, root)
}

// parsed reads a document's syntax tree.
func parsed(doc []byte, root ast.Node) (*Doc, error) {
	d := &Doc{source: doc, root: root}
	if err := d.read(value{doc: d, node: root}); err != nil {
		return nil, err
	}
	d.inherit()
	if err := applyShells(d); err != nil {
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
	if marks(doc) > maxMarks {
		return nil, faultf("", "the document has more than %d lines, commas and colons: put long lists into a file and name it in each:", maxMarks)
	}
	if !utf8.Valid(doc) || bytes.IndexByte(doc, 0) >= 0 {
		return nil, faultf("", "the document is not text in UTF-8: write YAML or JSON")
	}
	if root, err := jsonTree(doc); root != nil || err != nil {
		return root, err
	}
	file, err := syntaxTree(doc)
	if err != nil {
		return nil, err
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, faultf("", "the document is empty: a job needs a name and stages")
	}
	if len(file.Docs) > 1 {
		return nil, faultf("", several).at(doc, file.Docs[1].Start)
	}
	return file.Docs[0].Body, nil
}

// syntaxTree calls the YAML parser. A document on which it panics is a wrong
// document to us, not the end of the service.
func syntaxTree(doc []byte) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, err = nil, faultf("", "the document cannot be read as YAML or JSON (%.100v): write it in a simpler form", r)
		}
	}()
	if line := gap(doc); line > 0 {
		return nil, faultf("", "more than %d empty lines stand before line %d: leave them out", maxGap, line)
	}
	tokens := lexer.Tokenize(string(doc))
	if err := plain(doc, tokens); err != nil {
		return nil, err
	}
	if file, err = parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()); err != nil {
		return nil, syntax(doc, err)
	}
	return file, nil
}

// marks counts the bytes that can make a token of their own.
func marks(doc []byte) (n int) {
	for _, b := range doc {
		switch b {
		case '\n', ',', ':', '-', '?', '[', ']', '{', '}', '#', '&', '*', '!':
			n++
		}
	}
	return n
}

// syntax turns the parser's error into ours.
func syntax(doc []byte, err error) error {
	var at yaml.Error
	if errors.As(err, &at) {
		text := at.GetMessage()
		if strings.ContainsRune(text, '\t') {
			text = "there is a tab character: indent with spaces"
		}
		return faultf("", "%.200s", text).at(doc, at.GetToken())
	}
	return faultf("", "%.200v", err)
}
