package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// words are those that two parts of the house compare: they have names in the contract. What
// begins with a word counts if the word ends with a slash.
var words = map[string]string{
	"mp-i": "subjects.RuleDanger", "mp-ii": "subjects.RuleSuits",
	"mp+risk": "subjects.RuleRisk", "mp+wait": "subjects.RuleWait", "mp+fit": "subjects.RuleFit",
	"affected": "subjects.ModeAffected", "eq7": "subjects.ModeEq7",
	"/v1/":     "package subjects/agentpath",
	"not-kept": "subjects.ReasonNotKept", "no-host": "subjects.ReasonNoHost", "deadline-past": "subjects.ReasonPast",
}

func TestComparedWordsHaveOneName(t *testing.T) {
	for name, p := range packages(t) {
		if below(name, "subjects") {
			continue
		}
		for _, file := range p.GoFiles {
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				continue // it does not compile: other tests say so
			}
			for _, lit := range literals(tree) {
				if named := wordOf(lit); named != "" {
					t.Errorf("%s/%s:%d: %s is %s: two parts that spell a word each may come to spell it differently",
						name, file, set.Position(lit.Pos()).Line, lit.Value, named)
				}
			}
		}
	}
}

// wordOf is the name that the contract has for a literal, "" for none.
func wordOf(lit *ast.BasicLit) string {
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
