package architecture

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// bannedImports are packages with effects outside the core.
var bannedImports = map[string]string{
	"net":           "a core has no sockets: the shell speaks to others",
	"os":            "a core reads no file, variable or process: the shell hands it what it needs",
	"sync":          "a core runs on one goroutine: a lock would hide a second one",
	"os/exec":       "a core starts no process: it returns an action, the shell performs it",
	"crypto/rand":   "chance comes as a seed in an event, so that a replay repeats it",
	"math/rand":     "its global source differs from run to run: use math/rand/v2 with a seed from an event",
	"sync/atomic":   "a core runs on one goroutine",
	"net/http":      "a core has no sockets",
	"context":       "a step is never cancelled: it takes microseconds and no argument but its input",
	"log":           "a core writes nothing: what is worth saying stands in its output",
	"log/slog":      "a core writes nothing: what is worth saying stands in its output",
	"runtime":       "a core does not see the machine it runs on",
	"unsafe":        "nothing here is worth it",
	"path/filepath": "a core touches no file system; path is enough for names",
}

// allowedImports are deliberate exceptions, by package and import.
var allowedImports = map[[2]string]string{
	{"sim", "context"}:        "a run may be cut off: that changes nothing in it",
	{"sim/chaos", "context"}:  "a run may be cut off: that changes nothing in it",
	{"subjects/wire", "sync"}: "a pool of encoders: it keeps buffers, no state, and no output depends on it",
}

// bannedCalls are functions that read a clock or the global random source.
var bannedCalls = map[string]map[string]string{
	"time": {
		"Now": clock, "Since": clock, "Until": clock, "Sleep": clock, "After": clock,
		"AfterFunc": clock, "Tick": clock, "NewTimer": clock, "NewTicker": clock,
	},
}

const (
	clock   = "time comes with the input: a replay of the log must decide the same"
	chance  = "the global source differs from run to run: make a source from a seed in an event"
	routine = "a core runs on one goroutine: what happens at the same time has no order to replay"
	choice  = "select chooses at random among what is ready"
)

// seeded are the functions of math/rand/v2 that make a source of one's own.
var seeded = map[string]bool{"New": true, "NewPCG": true, "NewChaCha8": true, "NewZipf": true, "Rand": true, "PCG": true, "ChaCha8": true, "Source": true, "Zipf": true}

func TestCoresArePure(t *testing.T) {
	all, used := packages(t), map[[2]string]bool{}
	for _, core := range Cores {
		p, exists := all[core.Package]
		if !exists {
			t.Errorf("there is no package %s: remove it from Cores", core.Package)
		}
		for _, file := range p.GoFiles {
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				continue // it does not compile: other tests say so
			}
			for _, i := range impurities(set, tree) {
				if key := [2]string{core.Package, i.imports}; allowedImports[key] != "" {
					used[key] = true
					continue
				}
				t.Errorf("%s/%s:%d: %s (%s is a core: %s)", core.Package, file, i.line, i.what, core.Package, core.Because)
			}
		}
	}
	for key := range allowedImports {
		if !used[key] {
			t.Errorf("%s does not import %s any more: remove the exception", key[0], key[1])
		}
	}
}

type impurity struct {
	line    int
	what    string
	imports string // the import's path, if it is one
}

// impurities finds what a core may not do.
func impurities(set *token.FileSet, file *ast.File) (found []impurity) {
	names := make(map[string]string) // local name → import path
	report := func(n ast.Node, format string, args ...any) {
		found = append(found, impurity{line: set.Position(n.Pos()).Line, what: fmt.Sprintf(format, args...)})
	}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if why, banned := bannedImports[path]; banned {
			report(spec, "imports %s: %s", path, why)
			found[len(found)-1].imports = path
		}
		names[localName(spec, path)] = path
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			report(n, "starts a goroutine: %s", routine)
		case *ast.SelectStmt:
			report(n, "selects: %s", choice)
		case *ast.SelectorExpr:
			if what := call(names, n); what != "" {
				report(n, "%s", what)
			}
		}
		return true
	})
	return found
}

func localName(spec *ast.ImportSpec, path string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	if path == "math/rand/v2" {
		return "rand"
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// call says what is wrong with using pkg.Name, "" if nothing is.
func call(names map[string]string, n *ast.SelectorExpr) string {
	pkg, ok := n.X.(*ast.Ident)
	if !ok {
		return ""
	}
	path := names[pkg.Name]
	if why := bannedCalls[path][n.Sel.Name]; why != "" {
		return fmt.Sprintf("uses %s.%s: %s", path, n.Sel.Name, why)
	}
	if path == "math/rand/v2" && !seeded[n.Sel.Name] {
		return fmt.Sprintf("uses %s.%s: %s", path, n.Sel.Name, chance)
	}
	return ""
}

// TestTheBanBites checks that impurities finds what is banned.
func TestTheBanBites(t *testing.T) {
	const dirty = `package core
import (
	"os"
	clock "time"
	"math/rand/v2"
)
func f(c chan int) {
	_ = os.Args
	_ = clock.Now()
	_ = rand.IntN(3)
	_ = rand.New(rand.NewPCG(1, 2))
	go f(nil)
	select { case <-c: }
}`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "dirty.go", dirty, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range impurities(set, file) {
		got = append(got, fmt.Sprintf("%d %s", i.line, strings.SplitN(i.what, ":", 2)[0]))
	}
	want := "[3 imports os 9 uses time.Now 10 uses math/rand/v2.IntN 12 starts a goroutine 13 selects]"
	if fmt.Sprint(got) != want {
		t.Errorf("impurities(dirty.go) = %v, want %s", got, want)
	}
}
