package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// structs are the structs of the module by package and name, as a field's type names them: ledger.Attempt.
// Packages with the same last element of their path count as one.
type structs map[string]*wireStruct

type wireStruct struct {
	pkg    string
	fields []*ast.Field
	coded  bool // it encodes itself
	array  bool // its fields have a place, and no name
}

// A field without a name in its tag is written under its Go name, so that renaming it would lose it from
// snapshots and events that exist.
func TestFieldsOnTheWireAreNamedByTheirTags(t *testing.T) {
	all := parseStructs(t)
	seen := map[string]bool{}
	for name, s := range all {
		if s.tagged() {
			all.check(t, name, seen)
		}
	}
	if len(seen) < 100 {
		t.Errorf("structs with msgpack tags, and those in them = %d, want at least 100", len(seen))
	}
}

// check reports the fields without a name of a struct that is written, and of those that it contains.
func (all structs) check(t *testing.T, name string, seen map[string]bool) {
	s := all[name]
	if s == nil || seen[name] || s.coded {
		return
	}
	seen[name] = true
	for _, f := range s.fields {
		tag, skipped := wireName(f)
		if skipped {
			continue
		}
		all.check(t, typeName(s.pkg, f.Type), seen)
		for _, n := range f.Names {
			if n.IsExported() && tag == "" && !s.array {
				t.Errorf("%s.%s has no name in a msgpack tag: its Go name is on the wire, and renaming it loses it from what is stored", name, n.Name)
			}
		}
	}
}

func (s *wireStruct) tagged() bool {
	for _, f := range s.fields {
		if f.Tag != nil && strings.Contains(f.Tag.Value, `msgpack:"`) {
			return true
		}
	}
	return false
}

// wireName returns the name in a field's tag, and whether the field is not written at all.
func wireName(f *ast.Field) (name string, skipped bool) {
	if f.Tag == nil {
		return "", false
	}
	_, after, found := strings.Cut(f.Tag.Value, `msgpack:"`)
	if !found {
		return "", false
	}
	tag, _, _ := strings.Cut(after, `"`)
	name, _, _ = strings.Cut(tag, ",")
	return name, name == "-"
}

// typeName is the name of a field's type in a map of structs: that of its elements for a list or a map.
func typeName(pkg string, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(pkg, e.X)
	case *ast.ArrayType:
		return typeName(pkg, e.Elt)
	case *ast.MapType:
		return typeName(pkg, e.Value)
	case *ast.Ident:
		return pkg + "." + e.Name
	case *ast.SelectorExpr:
		if from, ok := e.X.(*ast.Ident); ok {
			return from.Name + "." + e.Sel.Name
		}
	}
	return ""
}

func parseStructs(t *testing.T) structs {
	t.Helper()
	all := structs{}
	for name, p := range packages(t) {
		for _, file := range p.GoFiles {
			tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				continue // it does not compile: other tests say so
			}
			all.add(path.Base(name), tree)
		}
	}
	return all
}

func (all structs) add(pkg string, tree *ast.File) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok {
				at := all.of(pkg, n.Name.Name)
				at.fields, at.array = s.Fields.List, isArray(s)
			}
		case *ast.FuncDecl:
			if n.Recv != nil && n.Name.Name == "EncodeMsgpack" {
				all.of(pkg, receiver(n.Recv.List[0].Type)).coded = true
			}
		}
		return true
	})
}

func (all structs) of(pkg, name string) *wireStruct {
	full := pkg + "." + name
	if all[full] == nil {
		all[full] = &wireStruct{pkg: pkg}
	}
	return all[full]
}

func isArray(s *ast.StructType) bool {
	for _, f := range s.Fields.List {
		if f.Tag != nil && strings.Contains(f.Tag.Value, `msgpack:",as_array"`) {
			return true
		}
	}
	return false
}
