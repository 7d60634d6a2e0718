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

// large are the types that have more methods all the same, with how many they may have: each may
// only shrink, and leaves the list when it has no more than mostMethods.
var large = map[string]struct {
	most    int
	because string
}{
	"subjects/ledger.State":    {112, "every event folds into it, and its queries are the ledger's one interface"},
	"subjects/ledger.Stage":    {34, "small questions about one stage, without a state between them"},
	"subjects/ledger.Job":      {29, "small questions about one job, without a state between them"},
	"subjects/spec.Doc":        {35, "it checks one document, section by section"},
	"subjects/spec.DocStage":   {33, "it checks one stage of a document, key by key"},
	"subjects.Pool":            {44, "it names every subject and stream of a pool, a line each"},
	"client.Client":            {80, "it is lull's Go interface: one method a question or request"},
	"client/story.teller":      {27, "one method an event"},
	"actors/core.Core":         {69, "the protocol is one state machine"},
	"actors/shell.Shell":       {70, "it performs the effects of the core, one method each"},
	"actors/jetstream.Bus":     {66, "it implements the whole bus"},
	"actors/memory.Bus":        {33, "it implements the whole bus"},
	"placer/predict.Predictor": {41, "its steps share buffers, so that a prediction allocates nothing"},
	"sim.World":                {60, "all that happens in a simulated pool goes through its clock"},
	"sim.replica":              {34, "it performs the effects of the core in virtual time"},
	"sim.host":                 {42, "it performs the actions of a host's actor in virtual time"},
}

func TestTypesHaveFewMethods(t *testing.T) {
	types := 0
	seen := map[string]bool{}
	for name, p := range packages(t) {
		for typ, n := range methods(t, p) {
			types++
			full := name + "." + typ
			seen[full] = true
			if exception, ok := large[full]; ok {
				if n > exception.most {
					t.Errorf("%s has %d methods, more than the %d that the list allows it: it may only shrink", full, n, exception.most)
				}
				if n <= mostMethods {
					t.Errorf("%s has %d methods, no more than %d: remove it from the list", full, n, mostMethods)
				}
				continue
			}
			if n > mostMethods {
				t.Errorf("%s.%s has %d methods, more than %d: give one of the things that it does a type with a state of its own", name, typ, n, mostMethods)
			}
		}
	}
	for full := range large {
		if !seen[full] {
			t.Errorf("%s is in the list and does not exist: remove it", full)
		}
	}
	if types < 100 {
		t.Errorf("types found = %d, want at least 100", types)
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
