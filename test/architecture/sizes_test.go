package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mostFileLines     = 300
	mostFunctionLines = 60
)

// A longer file or function holds more than one idea, and readers lose track.
func TestFilesAndFunctionsAreShort(t *testing.T) {
	for name, p := range packages(t) {
		for _, file := range p.GoFiles {
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				continue // it does not compile: other tests say so
			}
			lines := func(n ast.Node) int { return set.Position(n.End()).Line - set.Position(n.Pos()).Line + 1 }
			if n := set.File(tree.Pos()).LineCount(); n > mostFileLines {
				t.Errorf("%s/%s has %d lines, more than %d: split it by what is inside", name, file, n, mostFileLines)
			}
			for _, d := range tree.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && lines(f) > mostFunctionLines {
					t.Errorf("%s/%s: %s has %d lines, more than %d: give its steps names", name, file, f.Name.Name, lines(f), mostFunctionLines)
				}
			}
		}
	}
}

// A file beside a folder of its name leaves the reader to guess which of them holds the thing.
func TestNoFileIsNamedAsAFolderBesideIt(t *testing.T) {
	for name, p := range packages(t) {
		for _, file := range p.GoFiles {
			base := strings.TrimSuffix(file, ".go")
			if info, err := os.Stat(filepath.Join(p.Dir, base)); err == nil && info.IsDir() {
				t.Errorf("%s/%s stands beside the folder %s: name it after what it adds", name, file, base)
			}
		}
	}
}
