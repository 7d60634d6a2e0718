package spec

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// jsonTree parses a JSON document into the syntax tree that the YAML parser would make of it, in a
// tenth of the time and memory. Programs send JSON, up to a megabyte. It returns nil without an
// error for a document that is not JSON.
func jsonTree(doc []byte) (ast.Node, error) {
	if !json.Valid(doc) {
		return nil, nil
	}
	r := jsonReader{doc: doc}
	node := r.value(0)
	return node, r.err
}

// jsonReader walks through valid JSON.
type jsonReader struct {
	doc []byte
	at  int   // offset of what comes next
	err error // the document nests too deeply
}

// fromOffset stands for a line number that was not counted: a token's offset gives the place.
const fromOffset = -1

// base is what all nodes share: comments and paths, which JSON does not have.
var base = new(ast.BaseNode)

// space passes over what separates values: white space, commas and colons. Where
// they stand is right in valid JSON.
func (r *jsonReader) space() {
	for r.at < len(r.doc) && bytes.IndexByte([]byte(" \t\r\n,:"), r.doc[r.at]) >= 0 {
		r.at++
	}
}

func (r *jsonReader) token(text string) *token.Token {
	return &token.Token{Value: text, Position: &token.Position{Line: fromOffset, Offset: r.at}}
}

// value reads one value that stands inside so many lists and maps.
func (r *jsonReader) value(depth int) ast.Node {
	r.space()
	switch c := r.doc[r.at]; {
	case (c == '{' || c == '[') && depth == maxNesting:
		r.err = faultf("", "%s", tooDeep).at(r.doc, r.token(""))
		return nil
	case c == '{':
		return r.object(depth + 1)
	case c == '[':
		return r.array(depth + 1)
	case c == '"':
		return r.text()
	}
	return r.word()
}

func (r *jsonReader) object(depth int) ast.Node {
	n := &ast.MappingNode{BaseNode: base, Start: r.token("{"), IsFlowStyle: true}
	for r.at++; r.more('}'); {
		key := r.text()
		n.Values = append(n.Values, &ast.MappingValueNode{BaseNode: base, Start: key.Token, Key: key, Value: r.value(depth)})
	}
	return n
}

func (r *jsonReader) array(depth int) ast.Node {
	n := &ast.SequenceNode{BaseNode: base, Start: r.token("["), IsFlowStyle: true}
	for r.at++; r.more(']'); {
		n.Values = append(n.Values, r.value(depth))
	}
	return n
}

// more reports whether a list or map goes on, and passes over its end.
func (r *jsonReader) more(end byte) bool {
	r.space()
	if r.err != nil || r.doc[r.at] == end {
		r.at++
		return false
	}
	return true
}

// text reads a string. It is a copy: what is kept of a document must not keep all
// of it.
func (r *jsonReader) text() *ast.StringNode {
	leaf := new(struct { // one allocation, not three
		node     ast.StringNode
		token    token.Token
		position token.Position
	})
	end := r.at + 1
	for ; r.doc[end] != '"'; end++ {
		if r.doc[end] == '\\' {
			end++
		}
	}
	quoted := r.doc[r.at : end+1]
	text := string(quoted[1 : len(quoted)-1])
	if strings.IndexByte(text, '\\') >= 0 {
		_ = json.Unmarshal(quoted, &text) // it is valid
	}
	leaf.position = token.Position{Line: fromOffset, Offset: r.at}
	leaf.token = token.Token{Value: text, Position: &leaf.position}
	leaf.node = ast.StringNode{BaseNode: base, Token: &leaf.token, Value: text}
	r.at = end + 1
	return &leaf.node
}

// word reads a number or one of the three names.
func (r *jsonReader) word() ast.Node {
	end := r.at
	for end < len(r.doc) && bytes.IndexByte([]byte(" \t\r\n,]}"), r.doc[end]) < 0 {
		end++
	}
	text := string(r.doc[r.at:end])
	t := token.New(text, text, r.token("").Position)
	r.at = end
	switch t.Type {
	case token.IntegerType:
		return ast.Integer(t)
	case token.FloatType:
		return ast.Float(t)
	case token.BoolType:
		return ast.Bool(t)
	case token.NullType:
		return ast.Null(t)
	}
	return ast.String(t)
}

// lineOf is where an offset of a document is for people: line and column, from 1,
// the column in characters.
func lineOf(doc []byte, offset int) (line, column int) {
	before := doc[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(before[start:]) + 1
}
