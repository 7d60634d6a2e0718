package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// mostMethods is how many methods a reader can keep in mind. A type with more is several things.
const mostMethods = 25

func TestTypesHaveFewMethods(t *testing.T) {
	seen := map[string]int{"hostctl": 0, "slotter": 0}
	for name, p := range packages(t) {
		for room := range seen {
			if !below(name, room) {
				continue
			}
			for typ, n := range methods(t, p) {
				seen[room]++
				if n > mostMethods {
					t.Errorf("%s.%s has %d methods, more than %d: give one of the things that it does a type with a state of its own", name, typ, n, mostMethods)
				}
			}
		}
	}
	for room, types := range seen {
		if types == 0 {
			t.Errorf("%s has no types: this test checks nothing there", room)
		}
	}
}

// methods counts the methods of a package's types.
func methods(t *testing.T, p goPackage) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, file := range p.GoFiles {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // it does not compile: other tests say so
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				n[receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	return n
}

// receiver is the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
