package subjects

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const eventsHead = `# Events

What happens in a pool is a log of events: one JetStream stream, ` + "`LULL_<pool>`" + `. Programs read it from NATS in msgpack, or as
JSON, one object a line:

` + "```" + `
lull watch --events                  # from now on
lull watch --events --from 1         # from the beginning of what the log still keeps
lull watch --events JOB              # of one job and its tasks
` + "```" + `

Each line has ` + "`event`" + `, ` + "`seq`" + ` (its place in the log), ` + "`time`" + ` (when the log took it), the names in its subject, and the
fields below. Fields without a value may be left out. In JSON, times are RFC 3339 in UTC, durations are seconds and digests
hexadecimal; in msgpack, times and durations are nanoseconds. A newer lull may add fields and kinds of events: pass over what
you do not know.

This page is made from the Go types: ` + "`go test ./subjects -run EventReference -update`" + `.
`

// TestEventReference keeps docs/events.md equal to what the types say.
func TestEventReference(t *testing.T) {
	types := declarations(t)
	var b strings.Builder
	b.WriteString(eventsHead)
	for _, k := range Ledger.kinds {
		e := k.make()
		v := reflect.ValueOf(e).Elem()
		name := v.Type().Name()
		fmt.Fprintf(&b, "\n## %s\n\n", Kind(e))
		fmt.Fprintf(&b, "Subject: `lull.<pool>.%s`. %s\n\n", strings.Join(k.pattern(), "."), says(name, types[name].doc))
		b.WriteString("| field | type | meaning |\n|---|---|---|\n")
		rows(&b, types, name, "")
	}
	path := filepath.Join("..", "docs", "events.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != b.String() {
		t.Errorf("docs/events.md is not what the types say (%v): go test ./subjects -run EventReference -update", err)
	}
}

// declaration is a struct of this package.
type declaration struct {
	doc    string
	fields *ast.StructType
}

func declarations(t *testing.T) map[string]declaration {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]declaration{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				one := s.(*ast.TypeSpec)
				if fields, ok := one.Type.(*ast.StructType); ok {
					all[one.Name.Name] = declaration{g.Doc.Text(), fields}
				}
			}
		}
	}
	return all
}

// rows writes a row for each field, those of nested structs of this package with a dot.
func rows(b *strings.Builder, types map[string]declaration, name, prefix string) {
	for _, f := range types[name].fields.Fields.List {
		kind := typeName(f.Type)
		if len(f.Names) == 0 { // embedded
			rows(b, types, kind, prefix)
			continue
		}
		tag := reflect.StructTag("")
		if f.Tag != nil {
			tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
		}
		field, _, _ := strings.Cut(tag.Get("msgpack"), ",")
		if field == "token" {
			continue // a secret, which JSON leaves out
		}
		if field == "-" || field == "" {
			field = strings.ToLower(f.Names[0].Name)
		}
		doc := f.Doc.Text() + f.Comment.Text()
		if tag.Get("msgpack") == "-" {
			doc = "In the subject. " + doc
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", prefix, field, people(kind), says(f.Names[0].Name, doc))
		if element := strings.TrimPrefix(kind, "[]"); types[element].fields != nil && types[element].doc != "" {
			rows(b, types, element, prefix+field+".")
		}
	}
}

// people is how the page calls a type.
func people(kind string) string {
	element, list := strings.CutPrefix(kind, "[]")
	switch element {
	case "string":
		element = "text"
	case "uint32", "uint64", "int32", "int64", "int", "uint8":
		element = "whole number"
	case "float64":
		element = "number"
	case "bool":
		element = "true or false"
	case "Digest":
		element = "digest"
	case "time.Duration":
		element = "duration"
	case "spec.Job":
		element = "[job](documents.md)"
	default:
		element = "object"
	}
	if list {
		return "list of " + element
	}
	return element
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.ArrayType:
		return "[]" + typeName(e.Elt)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return typeName(e.X)
	}
	return fmt.Sprintf("%T", e)
}

// says makes one line of a comment that begins with the name of what it describes.
func says(name, comment string) string {
	text := strings.Join(strings.Fields(comment), " ")
	text = strings.TrimSuffix(strings.ReplaceAll(text, "|", `\|`), ".")
	if rest, ok := strings.CutPrefix(text, name+" "); ok && !strings.HasPrefix(rest, "and ") {
		text = strings.ToUpper(rest[:1]) + rest[1:]
		text = strings.TrimPrefix(strings.TrimPrefix(text, "Is "), "Are ")
	}
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
