// Command raced prints the packages that the race detector has something to look for in: all that have tests,
// but for the cores with tests that run on one goroutine as the cores do, and some that only simulate. TestCoresArePure shows
// that a core starts no goroutine and takes no lock.
package main

import (
	"encoding/json"
	"errors"
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

// goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "raced:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	list := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles", "lull/...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return err
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || slices.Contains(simulated, p.ImportPath) {
			continue
		}
		alone, err := p.onOneGoroutine()
		if err != nil {
			return err
		}
		if !alone {
			if _, err := fmt.Fprintln(w, p.ImportPath); err != nil {
				return err
			}
		}
	}
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
