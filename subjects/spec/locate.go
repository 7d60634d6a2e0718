package spec

import (
	"errors"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// place adds line and column to an error that knows its path: those of the value or, if it is
// missing, of the nearest written one.
func (d *Doc) place(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Line > 0 || d.root == nil {
		return err
	}
	return e.at(d.source, first(locateNode(d.root, e.Path)))
}

// locateNode walks from n along a path such as stages[1].from[0].stage, as far as
// the document goes.
func locateNode(n ast.Node, path string) ast.Node {
	for step := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next := child(n, step)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

func child(n ast.Node, step string) ast.Node {
	switch n := n.(type) {
	case ast.MapNode:
		for pairs := n.MapRange(); pairs.Next(); {
			if key, ok := pairs.Key().(*ast.StringNode); ok && key.Value == step {
				return pairs.Value()
			}
		}
	case *ast.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i < len(n.Values) {
			return n.Values[i]
		}
		return nil
	}
	if _, err := strconv.Atoi(step); err == nil {
		return n // what stands alone is a list of one: from: map
	}
	return nil
}
