package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// families are the beginnings of names of the contract's constants that two parts compare.
var families = []string{"Rule", "Reason", "Mode", "Pace", "Verdict"}

// everyday are words of the contract that also have other meanings, or are heads of columns. As literals
// they may occur anywhere, except in a comparison with a field of the contract. All other words, new
// ones among them, may be literals only in package subjects.
var everyday = map[string]bool{
	"memory": true, "disk": true, "reserve": true, "slot": true, "input": true, "output": true, "queues": true, "deadline": true, "missing": true, "timeout": true,
	"edf": true, "fifo": true, // also names of policies
	"all": true, "others": true, "share": true, "invalid": true, "revoked": true,
	"admitted": true, "rejected": true, "refused": true, "cancelled": true,
}

// fields are the contract's fields that hold such words.
var fields = []string{"Rule", "Reason", "Code", "Mode", "Verdict", "Pace"}

// contractWords returns the words that two parts of lull compare, with their names in the contract: its
// constants of the families, and the beginning of agents' paths.
func contractWords(t *testing.T, all map[string]goPackage) map[string]string {
	t.Helper()
	words := map[string]string{"/v1/": "package subjects/agentpath"}
	for _, file := range all["subjects"].GoFiles {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(all["subjects"].Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for name, word := range constants(tree) {
			if slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(name, f) }) {
				words[word] = "subjects." + name
			}
		}
	}
	return words
}

// constants are a file's constants whose values are texts.
func constants(file *ast.File) map[string]string {
	all := map[string]string{}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			for i, value := range spec.Values {
				if lit, ok := value.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					all[spec.Names[i].Name], _ = strconv.Unquote(lit.Value)
				}
			}
		}
	}
	return all
}

func TestComparedWordsHaveOneName(t *testing.T) {
	all := packages(t)
	words := contractWords(t, all)
	if words["mp-i"] != "subjects.RuleDanger" || words["not-kept"] != "subjects.ReasonNotKept" {
		t.Fatalf("contractWords() = %v, want mp-i as subjects.RuleDanger and not-kept as subjects.ReasonNotKept", words)
	}
	for name, p := range all {
		if below(name, "subjects") {
			continue
		}
		for _, file := range p.GoFiles {
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				continue // it does not compile: other tests say so
			}
			compared := comparedWords(tree)
			for _, lit := range literals(tree) {
				if text, _ := strconv.Unquote(lit.Value); everyday[text] && !compared[lit] {
					continue
				}
				if named := wordOf(words, lit); named != "" {
					t.Errorf("%s/%s:%d: %s is %s: two parts that spell a word each may come to spell it differently",
						name, file, set.Position(lit.Pos()).Line, lit.Value, named)
				}
			}
		}
	}
}

// wordOf is the name that the contract has for a literal, "" for none.
func wordOf(words map[string]string, lit *ast.BasicLit) string {
	text, _ := strconv.Unquote(lit.Value)
	for word, named := range words {
		if text == word || strings.HasSuffix(word, "/") && strings.HasPrefix(text, word) {
			return named
		}
	}
	return ""
}

func literals(file *ast.File) (all []*ast.BasicLit) {
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			all = append(all, lit)
		}
		return true
	})
	return all
}

// comparedWords are the literals that a file compares with a field of the contract.
func comparedWords(file *ast.File) map[*ast.BasicLit]bool {
	all := map[*ast.BasicLit]bool{}
	note := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok {
			all[lit] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				if isField(n.X) {
					note(n.Y)
				}
				if isField(n.Y) {
					note(n.X)
				}
			}
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					if isField(n.Tag) {
						note(e)
					}
				}
			}
		}
		return true
	})
	return all
}

// isField reports whether an expression is a field that holds words of the contract.
func isField(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && slices.Contains(fields, sel.Sel.Name)
}
