package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// unraced are packages in which the detector has nothing to look for, though they start goroutines. Some do nothing but simulate: a
// simulation has one goroutine, and those of test/papers/simulated already show the detector what it is to run several side by
// side. Some start the command as it ships, and only wait for it. And some assemble parts that their own packages and
// test/pipeline show the detector, for what takes two to three times as long with it.
var unraced = []string{
	"lull/sim", "lull/sim/chaos", "lull/test/overload", "lull/test/papers/harvest",
	"lull/test/chaos", "lull/test/examples", "lull/test/plainclient", "lull/test/upgrade",
	"lull/cmd/lull", "lull/deploy", "lull/hostctl/shim", "lull/test/corruption", "lull/test/hostile",
}

// slow are the packages with the longest tests, in the order in which go test starts them. A long package at the end of a list
// would keep one core idle.
var slow = []string{
	"lull/test/pipeline", "lull/test/corruption", "lull/deploy", "lull/actors/jetstream", "lull/sim", "lull/hostctl", "lull/cmd/lull",
	"lull/test/chaos", "lull/test/upgrade", "lull/sim/chaos", "lull/test/examples",
}

// goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	IgnoredGoFiles                     []string // without the detector: those for it
}

// split returns the packages to test with the race detector, and those to test without it. The first are those in which the
// detector has something to look for: all that have tests, but for those that start no goroutine and share nothing, and those of
// the list unraced. The others, and those that leave tests out when it is on, are tested without it, so that each test runs.
// Packages that take longest come first, since go test starts them in that order.
func split() (raced, rest []string, err error) {
	list := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles", "lull/...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return slowFirst(raced), slowFirst(rest), nil
		case err != nil:
			return nil, nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		alone, err := p.raceless()
		if err != nil {
			return nil, nil, err
		}
		if !alone {
			raced = append(raced, p.ImportPath)
		}
		if alone || p.knows() {
			rest = append(rest, p.ImportPath)
		}
	}
}

// slowFirst moves the slow packages to the front, in their order.
func slowFirst(paths []string) []string {
	rank := func(path string) int {
		if i := slices.Index(slow, path); i >= 0 {
			return i
		}
		return len(slow)
	}
	slices.SortStableFunc(paths, func(a, b string) int { return rank(a) - rank(b) })
	return paths
}

// knows reports whether a package's tests do less with the detector: they have a file for builds with it and one for those without.
func (p *goPackage) knows() bool { return slices.Contains(p.IgnoredGoFiles, "race_on_test.go") }

// raceless reports whether the detector has nothing to look for in a package: it and its tests start no goroutine and share nothing
// with others. What it calls may; that is in a package of its own.
func (p *goPackage) raceless() (bool, error) {
	if slices.Contains(unraced, p.ImportPath) {
		return true, nil
	}
	for _, file := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		if concurrent(tree) {
			return false, nil
		}
	}
	return true, nil
}

// concurrent reports whether a file starts goroutines, or may share state with others.
func concurrent(file *ast.File) (found bool) {
	for _, i := range file.Imports {
		switch strings.Trim(i.Path.Value, `"`) {
		case "sync", "sync/atomic", "testing/synctest", "golang.org/x/sync/errgroup":
			return true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "Parallel" || n.Sel.Name == "RunParallel"
		}
		return !found
	})
	return found
}
