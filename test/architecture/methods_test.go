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
	types := 0
	for name, p := range packages(t) {
		for typ, n := range methods(t, p) {
			types++
			if n > mostMethods {
				t.Errorf("%s.%s has %d methods, more than %d: give one of the things that it does a type with a state of its own", name, typ, n, mostMethods)
			}
		}
	}
	if types < 100 {
		t.Errorf("%d types were found: this test checks next to nothing", types)
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
