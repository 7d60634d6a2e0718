package subjects

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
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
hexadecimal; in msgpack, times are nanoseconds since 1970, and so are durations. A newer lull may add fields and kinds of events: pass over what
you do not know.

` + "**Words.** An *attempt* is one run of a task; its id is the sequence of its `host.assigned`. A *term* is the sequence of the event by which a host or a\nservice began to write: `host.joined` or `led`. A *residual* is what the primary leaves of a slot's cores, from 0 to 1. A text that is *a claim* was written by\nthe sender, and nothing proves it.\n" + `
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
		fmt.Fprintf(&b, "Subject: `lull.<pool>.%s`. %s\n\n", strings.Join(k.pattern(), "."), kindsAndFields(types, name, says(name, types[name].doc)))
		b.WriteString("| field | type | meaning |\n|---|---|---|\n")
		rows(t, &b, types, name, "")
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
func rows(t *testing.T, b *strings.Builder, types map[string]declaration, name, prefix string) {
	for _, f := range types[name].fields.Fields.List {
		kind := typeName(f.Type)
		if len(f.Names) == 0 { // embedded
			rows(t, b, types, kind, prefix)
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
			doc = "In the subject. " + says(f.Names[0].Name, doc)
		}
		meaning := kindsAndFields(types, name, says(f.Names[0].Name, doc))
		if meaning == "" {
			t.Errorf("%s.%s has no comment, so docs/events.md cannot say what it means", name, f.Names[0].Name)
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", prefix, field, people(kind, field), meaning)
		if element := strings.TrimPrefix(kind, "[]"); types[element].fields != nil && types[element].doc != "" {
			rows(t, b, types, element, prefix+field+".")
		}
	}
}

// people is how the page calls the type of a field.
func people(kind, field string) string {
	if kind == "int64" && times[field] {
		return "time"
	}
	element, list := strings.CutPrefix(kind, "[]")
	switch element {
	case "string":
		element = "text"
	case "uint32", "uint64", "int32", "int64", "int", "uint8", "profile.Pattern":
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

// goName is a word of a comment that may name a type or a field of Go.
var goName = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]+\b(\.[A-Z][A-Za-z0-9]+\b)?`)

// kindsAndFields replaces names of Go by those of the page: kinds of events, and fields of the struct that the text is about. The
// first word of a sentence is no such name, nor is an abbreviation such as CPU.
func kindsAndFields(types map[string]declaration, of, text string) string {
	kinds := map[string]string{}
	for _, k := range Ledger.kinds {
		e := k.make()
		kinds[reflect.TypeOf(e).Elem().Name()] = Kind(e)
	}
	var out strings.Builder
	last := 0
	for _, at := range goName.FindAllStringIndex(text, -1) {
		name, field, isField := strings.Cut(text[at[0]:at[1]], ".")
		if first := at[0] == 0 || strings.HasSuffix(text[:at[0]], ". "); first && !isField || name == strings.ToUpper(name) {
			continue
		}
		var page string
		switch kind := kinds[name]; {
		case kind != "" && isField:
			page = "`" + strings.ToLower(field) + "` of `" + kind + "`"
		case kind != "":
			page = "`" + kind + "`"
		case types[of].names()[name] != "":
			page = "`" + types[of].names()[name] + "`"
		default:
			continue
		}
		out.WriteString(text[last:at[0]] + page)
		last = at[1]
	}
	return out.String() + text[last:]
}

// names maps the fields of a declaration to what the log calls them.
func (d declaration) names() map[string]string {
	names := map[string]string{}
	for _, f := range d.fields.Fields.List {
		if len(f.Names) == 1 && f.Tag != nil {
			name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("msgpack"), ",")
			names[f.Names[0].Name] = strings.Replace(name, "-", strings.ToLower(f.Names[0].Name), 1)
		}
	}
	return names
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
