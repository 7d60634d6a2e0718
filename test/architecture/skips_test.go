package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// A skip hides what its test would have found. So each says what is missing, which the machine, the
// build or the caller of the tests can provide. A wrong result is a failure.
func TestSkipsSayWhatTheyNeed(t *testing.T) {
	skips := 0
	for name, p := range packages(t) {
		for _, tree := range testFiles(t, p) {
			all, mute := skipsOf(tree)
			skips += all
			for _, function := range mute {
				t.Errorf("%s.%s skips without a text that begins with \"needs \" and names what is missing", name, function)
			}
		}
	}
	if skips == 0 {
		t.Error("skips found = 0, want some")
	}
}

// skipsOf counts the calls of Skip, Skipf and SkipNow, and lists the functions of those that do not
// say what they need.
func skipsOf(tree *ast.File) (all int, mute []string) {
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isSkip(call) {
				if all++; !saysNeed(call) {
					mute = append(mute, f.Name.Name)
				}
			}
			return true
		})
	}
	return all, mute
}

// isSkip reports whether a call is t.Skip or the like, for a t that is a variable or a field.
func isSkip(call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Skip" && s.Sel.Name != "Skipf" && s.Sel.Name != "SkipNow" {
		return false
	}
	_, called := s.X.(*ast.CallExpr)
	return !called
}

func saysNeed(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	text, ok := call.Args[0].(*ast.BasicLit)
	return ok && text.Kind == token.STRING && strings.HasPrefix(text.Value, `"needs `)
}

// TestSkipsAreFound keeps the search itself honest.
func TestSkipsAreFound(t *testing.T) {
	for body, want := range map[string]int{
		`t.Skip("needs root")`:            0,
		`w.t.Skipf("needs %d cores", 2)`:  0,
		`t.Skip(err)`:                     1,
		`t.Skip("others were faster")`:    1,
		`w.t.SkipNow()`:                   1,
		`msgpack.NewDecoder(r).Skip()`:    0,
		`func() { b.Skip("not here") }()`: 1,
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), "x_test.go", "package x\nfunc f() {\n"+body+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, mute := skipsOf(tree); len(mute) != want {
			t.Errorf("functions that skip without a need in %s = %q, want %d", body, mute, want)
		}
	}
}
