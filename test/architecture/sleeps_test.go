package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// realSleeps are the functions of tests that wait in real time, by folder and name, each with its
// reason. All others wait for an event, poll with a deadline (test/poll), or sleep in virtual time.
var realSleeps = map[string]string{
	"hostctl.dieAndCome":            "the moment of a crash is what the test varies",
	"hostctl/pacing.uses":           "measures the CPU that a task uses in a second of real time",
	"actors/conformance.eventually": "polls with a deadline; the suite is below test/poll",
	"actors/conformance.until":      "polls with a deadline beside the steps that it waits for",
	"test/hostile.again":            "paces the repeats of an assignment, which the deadline of the wait around it bounds",
}

// virtualSleeps are helpers that are called in a synctest bubble only, so the sleep is virtual.
var virtualSleeps = map[string]string{
	"actors/jetstream.openQuiet":  "opens the bus of the suite in virtual time",
	"actors/conformance.otherLog": "two logs of one instant exist in virtual time only; in real time it is a millisecond",
	"actors/core.settledClock":    "prepares the clock of a test in a bubble",
	"actors/shell.sendLarge":      "is the body of a test in a bubble",
	"actors/shell.Answer":         "an actor whose answers take long, in a bubble",
}

func TestNoTestSleeps(t *testing.T) {
	used := map[string]bool{}
	files := 0
	for name, p := range packages(t) {
		for _, tree := range testFiles(t, p) {
			files++
			for _, function := range sleeps(tree) {
				at := name + "." + function
				if realSleeps[at] == "" && virtualSleeps[at] == "" {
					t.Errorf("%s sleeps: wait for the event, poll with a deadline (test/poll), or use virtual time (testing/synctest)", at)
				}
				used[at] = true
			}
		}
	}
	for _, list := range []map[string]string{realSleeps, virtualSleeps} {
		for at := range list {
			if !used[at] {
				t.Errorf("%s does not sleep any more: remove it from the list", at)
			}
		}
	}
	if files == 0 {
		t.Error("test files read = 0, want some")
	}
}

// testFiles parses a package's tests, whatever they are built for, and its helpers of tests: the
// files that import testing.
func testFiles(t *testing.T, p goPackage) (trees []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "_test.go") || importsTesting(tree) {
			trees = append(trees, tree)
		}
	}
	return trees
}

func importsTesting(tree *ast.File) bool {
	for _, i := range tree.Imports {
		if i.Path.Value == `"testing"` {
			return true
		}
	}
	return false
}

// sleeps finds the calls of time.Sleep and the receives of time.After outside of bubbles, and
// returns their functions. A receive in a select is a deadline if its clause reports a failure, and a sleep otherwise.
func sleeps(tree *ast.File) (functions []string) {
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		deadlines := map[ast.Node]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CommClause:
				if n.Comm != nil && fails(n.Body) {
					deadlines[n.Comm] = true
				}
			case *ast.ExprStmt:
				return !deadlines[n]
			case *ast.CallExpr:
				if calls(n, "synctest", "Test") {
					return false
				}
				if calls(n, "time", "Sleep") {
					functions = append(functions, f.Name.Name)
				}
			case *ast.UnaryExpr:
				if call, ok := n.X.(*ast.CallExpr); ok && n.Op == token.ARROW && (calls(call, "time", "After") || calls(call, "time", "Tick")) {
					functions = append(functions, f.Name.Name)
				}
			}
			return true
		})
	}
	return functions
}

// calls reports whether a call is of a package's function.
func calls(call *ast.CallExpr, pkg, name string) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && of.Name == pkg
}

// fails reports whether the statements report a test's failure.
func fails(body []ast.Stmt) (yes bool) {
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				switch s.Sel.Name {
				case "Fatal", "Fatalf", "Error", "Errorf":
					yes = true
				}
			}
			return true
		})
	}
	return yes
}

// TestSleepsAreFound checks that sleeps finds what it should.
func TestSleepsAreFound(t *testing.T) {
	for body, want := range map[string]int{
		`time.Sleep(1)`:                 1,
		`<-time.After(1)`:               1,
		`for ; ; <-time.Tick(1) {}`:     1,
		`go func() { time.Sleep(1) }()`: 1,
		`synctest.Test(t, func(t *testing.T) { time.Sleep(1); <-time.After(1) })`: 0,
		`select { case <-time.After(1): t.Fatal("late"); case <-done: }`:          0,
		`select { case <-time.After(1): case <-done: }`:                           1,
		`deadline := time.After(1)`:                                               0,
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), "x_test.go", "package x\nfunc f() {\n"+body+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(sleeps(tree)); got != want {
			t.Errorf("sleeps found in %s = %d, want %d", body, got, want)
		}
	}
}
