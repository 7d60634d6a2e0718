// Command raced prints the packages that the race detector has something to look for in: all that have tests,
// but for the cores with tests that run on one goroutine as the cores do, and some that only simulate. TestCoresArePure shows
// that a core starts no goroutine and takes no lock.
//
// With --rest it prints the packages to test without the detector: the others, and those that leave tests out when it is on.
// CI tests both lists, so that each test runs. Packages that take longest come first, since go test starts them in that order.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"lull/test/architecture"
)

// simulated are packages whose tests do nothing but simulate. A simulation has one goroutine, and those of test/papers/simulated
// already show the detector what it is to run several side by side.
var simulated = []string{"lull/test/overload", "lull/test/papers/harvest"}

// slow are the packages with the longest tests, in the order in which go test starts them, two at once on two cores. A long
// package at the end of the list would keep one core idle. The tests of lull/hostctl mostly wait, so those of lull/cmd/lull,
// which start hundreds of processes, run beside them.
var slow = []string{
	"lull/test/pipeline", "lull/test/corruption", "lull/deploy", "lull/actors/jetstream", "lull/sim", "lull/hostctl", "lull/cmd/lull",
	"lull/test/chaos", "lull/sim/chaos", "lull/test/examples",
}

// goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	IgnoredGoFiles                     []string // without the detector: those for it
}

func main() {
	rest := flag.Bool("rest", false, "print the other packages with tests")
	flag.Parse()
	raced, others, err := split()
	if err != nil {
		fmt.Fprintln(os.Stderr, "raced:", err)
		os.Exit(1)
	}
	if *rest {
		raced = others
	}
	for _, path := range raced {
		fmt.Println(path)
	}
}

// split returns the packages to test with the detector, and those to test without it.
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

// raceless reports whether the detector has nothing to look for in a package.
func (p *goPackage) raceless() (bool, error) {
	if slices.Contains(simulated, p.ImportPath) {
		return true, nil
	}
	return p.onOneGoroutine()
}

// onOneGoroutine reports whether a package and its tests start no goroutine.
func (p *goPackage) onOneGoroutine() (bool, error) {
	isCore := func(c architecture.Core) bool { return "lull/"+c.Package == p.ImportPath }
	if !slices.ContainsFunc(architecture.Cores, isCore) {
		return false, nil
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
		case "sync", "sync/atomic", "testing/synctest", "context":
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
