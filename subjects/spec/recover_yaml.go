package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// YAML returns the document in YAML for people, where Parse reads the same job from it, and
// else in JSON, which YAML's parsers read too. Inputs must be filled in.
func (d *Doc) YAML() ([]byte, error) {
	body, err := d.indented()
	if err != nil {
		return nil, err
	}
	root, err := jsonTree(body)
	if err != nil {
		return nil, err
	}
	var w yamlWriter
	w.pairs(root, 0)
	if sameJob(w.Bytes(), body) {
		return w.Bytes(), nil
	}
	return body, nil
}

func (d *Doc) indented() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(d)
	return b.Bytes(), err
}

func sameJob(a, b []byte) bool {
	var jobs [2]Job
	for i, body := range [][]byte{a, b} {
		d, err := Parse(body)
		if err != nil {
			return false
		}
		if jobs[i], err = d.Job(); err != nil {
			return false
		}
	}
	return reflect.DeepEqual(jobs[0], jobs[1])
}

// yamlWriter writes a syntax tree of JSON as YAML in block style. Short lists stand on a line.
type yamlWriter struct{ bytes.Buffer }

func (w *yamlWriter) pairs(n ast.Node, depth int) {
	for i, pair := range n.(*ast.MappingNode).Values {
		if i > 0 {
			w.indent(depth)
		}
		key := pair.Key.(*ast.StringNode).Value
		w.WriteString(plainly(key) + ":")
		if line, ok := shellLine(pair.Value); key == "command" && ok && depth == 2 {
			w.text(line, depth)
		} else {
			w.value(pair.Value, depth)
		}
	}
}

// value writes what stands behind a key.
func (w *yamlWriter) value(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.MappingNode:
		if len(n.Values) == 0 {
			w.WriteString(" {}\n")
			return
		}
		w.WriteString("\n")
		w.indent(depth + 1)
		w.pairs(n, depth+1)
	case *ast.SequenceNode:
		w.list(n, depth)
	case *ast.StringNode:
		w.text(n.Value, depth)
	default:
		w.WriteString(" " + n.GetToken().Value + "\n")
	}
}

// fits is how many bytes a list may take to stand on a line.
const fits = 80

func (w *yamlWriter) list(n *ast.SequenceNode, depth int) {
	if line, ok := onALine(n); ok {
		w.WriteString(" " + line + "\n")
		return
	}
	w.WriteString("\n")
	for _, v := range n.Values {
		w.indent(depth + 1)
		w.WriteString("-")
		if m, ok := v.(*ast.MappingNode); ok && len(m.Values) > 0 {
			w.WriteString(" ")
			w.pairs(m, depth+2)
			continue
		}
		w.value(v, depth+1)
	}
}

func onALine(n *ast.SequenceNode) (line string, ok bool) {
	size, texts := 0, make([]string, len(n.Values))
	for i, v := range n.Values {
		text, scalar := v.(*ast.StringNode)
		if !scalar || size > fits {
			return "", false
		}
		texts[i] = plainly(text.Value)
		size += len(texts[i]) + 2
	}
	return "[" + strings.Join(texts, ", ") + "]", size <= fits
}

// text writes text of several lines as they are, where that is the same to all parsers.
func (w *yamlWriter) text(s string, depth int) {
	lines := strings.Split(s, "\n")
	mark := "|-"
	if last := len(lines) - 1; last > 0 && lines[last] == "" {
		lines, mark = lines[:last], "|"
	}
	if len(lines) < 2 || !literal(lines) {
		w.WriteString(" " + plainly(s) + "\n")
		return
	}
	w.WriteString(" " + mark + "\n")
	for _, line := range lines {
		if line != "" {
			w.indent(depth + 1)
		}
		w.WriteString(line + "\n")
	}
}

func (w *yamlWriter) indent(depth int) { w.WriteString(strings.Repeat("  ", depth)) }

// unusual is what a literal block does not keep.
var unusual = regexp.MustCompile(`[^\x20-\x7e]| $`)

func literal(lines []string) bool {
	for _, line := range lines {
		if unusual.MatchString(line) {
			return false
		}
	}
	return lines[0] != "" && lines[0][0] != ' ' && lines[len(lines)-1] != ""
}

// bare is text that needs no quotes, in lists on a line either.
var (
	bare  = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)
	words = regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n)$`)
)

// plainly writes text on one line, in quotes where it could be taken for something else.
func plainly(s string) string {
	if bare.MatchString(s) && !words.MatchString(s) {
		return s
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // text can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// shellLine is the line of a command that a shell runs.
func shellLine(n ast.Node) (string, bool) {
	list, ok := n.(*ast.SequenceNode)
	if !ok || len(list.Values) != 3 {
		return "", false
	}
	words := make([]string, 3)
	for i, v := range list.Values {
		text, ok := v.(*ast.StringNode)
		if !ok {
			return "", false
		}
		words[i] = text.Value
	}
	return words[2], words[0] == "sh" && words[1] == "-c" && words[2] != ""
}

// Remarks returns warnings for a person who submits the document again, a line each.
func (d *Doc) Remarks() (lines []string) {
	if strings.Contains(d.Output, "${") {
		lines = append(lines, "output holds ${, which lull submit replaces: write the path out before you submit it again")
	}
	for i := range d.Stages {
		s := &d.Stages[i]
		if s.List != "" {
			lines = append(lines, fmt.Sprintf("stage %s: what its %d tasks read is kept beside the document, under the name in list:", s.Name, s.Tasks))
		}
		if len(s.Sent) > 0 {
			lines = append(lines, fmt.Sprintf("stage %s: the pool keeps the files under sent: for as long as it knows the job", s.Name))
		}
		if strings.Contains(s.Dir, "${") {
			lines = append(lines, fmt.Sprintf("stage %s: dir holds ${, which lull submit replaces: write the path out before you submit it again", s.Name))
		}
	}
	return lines
}
