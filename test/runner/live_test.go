package main

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// meets are imports of tests that meet what they can't hold still.
var meets = []string{"os/exec", "net", "net/http", "net/http/httptest", "os/signal", "lull/test/poll", "lull/actors/jetstream/embedded", "lull/test/taskuser", "lull/test/dirty"}

// tools are packages whose tests start nothing but go and git.
var tools = []string{"lull/test/architecture", "lull/test/runner"}

func TestLivePackagesAreListed(t *testing.T) {
	tested := map[string]bool{}
	for _, p := range packagesWithTests(t) {
		tested[p.ImportPath] = true
		if isLive(p.ImportPath) || slices.Contains(tools, p.ImportPath) {
			continue
		}
		for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range tree.Imports {
				if path := strings.Trim(i.Path.Value, `"`); slices.Contains(meets, path) {
					t.Errorf("%s/%s imports %s: add the package to the list live, so that a failure that a loaded machine caused is told from a fault", p.ImportPath, file, path)
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, packages := range live {
		for _, path := range packages {
			if !tested[path] || seen[path] {
				t.Errorf("%s is in the list live, and has no tests or is there twice: remove it", path)
			}
			seen[path] = true
		}
	}
}

func packagesWithTests(t *testing.T) (found []goPackage) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles", "lull/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return found
		case err != nil:
			t.Fatal(err)
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			found = append(found, p)
		}
	}
}
