package spec

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// value is a place in a document. Its methods return what stands there, in the
// one type they are named for, or an error that points at it.
type value struct {
	doc  *Doc
	node ast.Node
	path string
	nth  int // of the list at path, from 1; 0 when path is the value's own
}

func (v value) faultf(format string, args ...any) error {
	return faultf(v.where(), format, args...).at(v.doc.source, first(v.node))
}

// where is the value's path. It is put together when it is asked for: a list may have
// a hundred thousand elements.
func (v value) where() string {
	if v.nth == 0 {
		return v.path
	}
	return index(v.path, v.nth-1)
}

// wrong says that another type was expected.
func (v value) wrong(want string) error {
	return v.faultf("expected %s, found %s", want, describeNode(v.node))
}

// first is the token at which a node begins for a reader.
func first(n ast.Node) *token.Token {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		return first(m.Values[0])
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		return m.Key.GetToken()
	}
	if n == nil {
		return nil
	}
	return n.GetToken()
}

func describeNode(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a map"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	default:
		return n.GetToken().Value
	}
}

// text is a string that is not empty.
func (v value) text() (string, error) {
	var s string
	switch n := v.node.(type) {
	case *ast.StringNode:
		s = n.Value
	case *ast.LiteralNode:
		s = n.Value.Value
	default:
		return "", v.wrong("text")
	}
	if s == "" {
		return "", v.faultf("the text is empty: give a value or leave the field out")
	}
	return s, nil
}

// scalar is text, or a number or truth value as it was written: environment
// variables and arguments are text in the end.
func (v value) scalar() (string, error) {
	switch n := v.node.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, nil
	}
	return "", v.wrong("text or a number")
}

// whole is an integer from low to high.
func (v value) whole(low, high int64) (int64, error) {
	n, ok := v.number()
	if !ok {
		return 0, v.wrong("a whole number")
	}
	if !decimal.MatchString(n.GetToken().Value) {
		return 0, v.faultf("%s is not a decimal number: write it with the digits 0 to 9", n.GetToken().Value)
	}
	i, err := strconv.ParseInt(strings.ReplaceAll(n.GetToken().Value, "_", ""), 10, 64)
	if err != nil || i < low || i > high {
		return 0, v.faultf("%s is out of bounds: give a number from %d to %d", n.GetToken().Value, low, high)
	}
	return i, nil
}

// decimal is how whole numbers are written. 010 is ten: YAML's first version took it for eight.
var decimal = regexp.MustCompile(`^[+-]?[0-9][0-9_]*$`)

// zeros is a number that the parser takes for text, because 8 and 9 are no digits of eight.
var zeros = regexp.MustCompile(`^[+-]?0[0-9]+$`)

// number returns the node of a whole number.
func (v value) number() (ast.Node, bool) {
	switch n := v.node.(type) {
	case *ast.IntegerNode:
		return n, true
	case *ast.StringNode:
		return n, n.Token.Type == token.StringType && zeros.MatchString(n.Value)
	}
	return nil, false
}

func integer(n *ast.IntegerNode) (int64, bool) {
	switch i := n.Value.(type) {
	case int64:
		return i, true
	case uint64:
		return int64(i), i <= math.MaxInt64
	}
	return 0, false
}

// list calls visit for each element.
func (v value) list(visit func(i int, v value) error) error {
	n, ok := v.node.(*ast.SequenceNode)
	if !ok {
		return v.wrong("a list")
	}
	path := v.where()
	for i, element := range n.Values {
		if err := visit(i, value{v.doc, element, path, i + 1}); err != nil {
			return err
		}
	}
	return nil
}

// object calls visit for each key and its value, in the order they were
// written, and refuses a key that stands there twice.
func (v value) object(visit func(key, v value) error) error {
	n, ok := v.node.(ast.MapNode)
	if !ok {
		return v.wrong("a map")
	}
	seen, path := map[string]bool{}, v.where()
	for pairs := n.MapRange(); pairs.Next(); {
		name, ok := pairs.Key().(*ast.StringNode)
		if !ok {
			key := value{v.doc, pairs.Key(), path, 0}
			return key.faultf("%q cannot be a key: put it in quotes", pairs.Key().GetToken().Value)
		}
		key := value{v.doc, name, join(path, name.Value), 0}
		if seen[name.Value] {
			return key.faultf("it is given twice: remove one")
		}
		seen[name.Value] = true
		if err := visit(key, value{v.doc, pairs.Value(), key.path, 0}); err != nil {
			return err
		}
	}
	return nil
}

func join(path, name string) string {
	return strings.TrimPrefix(path+"."+name, ".")
}

func index(path string, i int) string {
	return path + "[" + strconv.Itoa(i) + "]"
}
