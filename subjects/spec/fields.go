package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// field is one field that a map of the document may have. The parser, the schema and the
// reference all follow from it.
type field struct {
	name string
	read func(value) error
	form form
	low  int64 // of a whole number
	high int64
	must bool
	doc  string // what it means, in Markdown
}

// form returns the schema of what may stand in a field. It is called for the schema alone: a
// document may have a hundred thousand ranges, and their fields are made for each.
type form func(*field) *Schema

// says documents a field.
func (f field) says(doc string) field {
	f.doc = doc
	return f
}

// required says that the field must be there.
func (f field) required() field {
	f.must = true
	return f
}

// fields reads a map of known keys.
func (v value) fields(known ...field) error {
	return v.object(func(key, v value) error {
		name := key.node.(*ast.StringNode).Value
		for _, f := range known {
			if f.name == name {
				return f.read(v)
			}
		}
		return key.faultf("unknown field: %s", hint(name, known))
	})
}

// slips are fields of other systems that people reach for, and what they are called here.
var slips = map[string]string{
	"needs": "after", "depends_on": "after", "dependencies": "after", "depends": "after", "dependency": "after", "requires": "after",
	"steps": "stages", "jobs": "stages", "environment": "env", "variables": "env", "vars": "env",
	"run": "command", "script": "command", "cmd": "command", "args": "command", "entrypoint": "command",
	"working-directory": "dir", "working_dir": "dir", "workdir": "dir", "cwd": "dir", "chdir": "dir",
	"cpus": "cpu", "cores": "cpu", "mem": "memory", "ram": "memory", "retry": "retries", "time": "timeout", "walltime": "timeout",
	"array": "tasks", "count": "tasks", "replicas": "tasks", "parallelism": "tasks", "parallel": "tasks",
	"constraints": "where", "labels": "where", "partition": "queue", "out": "output", "outputs": "output",
	"failfast": "fail_fast", "fail-fast": "fail_fast", "max-failures": "max_failures", "maxfailures": "max_failures", "max_failed": "max_failures",
	"continue-on-error": "allow_failure", "continue_on_error": "allow_failure", "ignore_errors": "allow_failure", "if": "when", "trigger_rule": "when",
	"upload": "files", "uploads": "files", "transfer_input_files": "files",
	"input": "inputs", "files_from": "inputs", "foreach": "each", "for_each": "each",
}

// otherwise says how lull does what fields of other systems do that it does not have.
var otherwise = map[string]string{
	"partitions": "leave it out: a stage has as many partitions as its reader (`by: partition`) has `tasks`",
	"image":      container, "container": container, "docker": container,
	"schedule": periodic, "cron": periodic, "periodic": periodic, "interval": periodic,
	"priority": priority, "nice": priority, "qos": priority,
	"user": "tasks run as the user that the agents of the hosts name (--task-user)", "gpu": "give such hosts a label, and ask for it: `where: {gpu: a100}`",
}

const (
	container = "tasks are programs of the host: write the container's start into `command`"
	periodic  = "a document is one run: let cron submit it, with `lull submit --id NAME-$(date +%F)`"
	priority  = "jobs run in the order of their deadlines, and queues share the pool by weight: set `deadline` or `queue`"
)

// hint names the field that was meant, or where it belongs, or all there are.
func hint(name string, known []field) string {
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.name
	}
	if meant := slips[name]; slices.Contains(names, meant) {
		return fmt.Sprintf("did you mean %q?", meant)
	}
	if where := elsewhere(name, known); where != "" {
		return where
	}
	if how := otherwise[name]; how != "" {
		return how
	}
	best := slices.MinFunc(names, func(a, b string) int { return distance(name, a) - distance(name, b) })
	if distance(name, best) <= 2 {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return "the fields here are " + strings.Join(forPeople(known), ", ")
}

// forPeople are the names of fields that people write, not the client alone.
func forPeople(known []field) (names []string) {
	for _, f := range known {
		if !strings.Contains(f.doc, byClient) {
			names = append(names, f.name)
		}
	}
	return names
}

// distance is the Levenshtein distance of two names, for names of sensible
// length; a longer one is near to none.
func distance(a, b string) int {
	if len(a) > 32 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

func text(name string, to *string) field {
	return field{name: name, form: textForm, read: func(v value) (err error) {
		*to, err = v.text()
		return err
	}}
}

func whole[N uint32 | int | int64](name string, to *N, low, high int64) field {
	return field{name: name, form: wholeForm, low: low, high: high, read: func(v value) error {
		n, err := v.whole(low, high)
		*to = N(n)
		return err
	}}
}

func size(name string, to *int64) field {
	return field{name: name, form: sizeForm, read: func(v value) (err error) {
		*to, err = v.size()
		return err
	}}
}

func duration(name string, to *Duration) field {
	return field{name: name, form: durationForm, read: func(v value) error {
		d, err := v.duration()
		*to = Duration(d)
		return err
	}}
}

// texts reads a list of strings; a single one stands for a list of one.
func texts(name string, to *[]string) field {
	return field{name: name, form: textsForm, read: func(v value) error {
		if _, ok := v.node.(*ast.SequenceNode); ok {
			return v.list(func(_ int, v value) error {
				s, err := v.text()
				*to = append(*to, s)
				return err
			})
		}
		s, err := v.text()
		*to = []string{s}
		return err
	}}
}

// table reads a map of names to text.
func table(name string, to *map[string]string) field {
	return checkedTable(name, to, func(string) error { return nil })
}

// checkedTable reads a map of names to text, whose names pass a check.
func checkedTable(name string, to *map[string]string, check func(name string) error) field {
	return field{name: name, form: tableForm, read: func(v value) error {
		*to = map[string]string{}
		return v.object(func(key, v value) error {
			s, err := v.scalar()
			name := key.node.(*ast.StringNode).Value
			if strings.Contains(name, "=") { // it would become another name and value
				return key.faultf("%.80q is not a name: leave out the '='", name)
			}
			if err := check(name); err != nil {
				return key.faultf("%v", err)
			}
			(*to)[name] = s
			return err
		})
	}}
}
