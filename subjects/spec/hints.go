package spec

import (
	"fmt"
	"slices"
	"strings"
)

// foreignFields are fields of other systems that people reach for, and what they are called here.
var foreignFields = map[string]string{
	"needs": "after", "depends_on": "after", "dependencies": "after", "depends": "after", "requires": "after",
	"steps": "stages", "jobs": "stages", "environment": "env", "variables": "env", "vars": "env",
	"run": "command", "script": "command", "cmd": "command", "args": "command", "entrypoint": "command",
	"working-directory": "dir", "working_dir": "dir", "workdir": "dir", "cwd": "dir", "chdir": "dir",
	"cpus": "cpu", "cores": "cpu", "mem": "memory", "ram": "memory", "retry": "retries",
	"count": "tasks", "replicas": "tasks", "parallel": "tasks",
	"constraints": "where", "labels": "where", "partition": "queue", "out": "output", "outputs": "output",
	"failfast": "fail_fast", "fail-fast": "fail_fast", "max-failures": "max_failures", "maxfailures": "max_failures", "max_failed": "max_failures",
	"continue-on-error": "allow_failure", "continue_on_error": "allow_failure", "ignore_errors": "allow_failure", "if": "when", "trigger_rule": "when",
	"upload": "files", "uploads": "files", "transfer_input_files": "files",
	"input": "inputs", "files_from": "inputs", "foreach": "each", "for_each": "each",
}

// unsupportedFields says how lull does what fields of other systems do that it does not have.
var unsupportedFields = map[string]string{
	"partitions": "leave it out: a stage has as many partitions as its reader (`by: partition`) has `tasks`",
	"schedule":   periodic, "cron": periodic, "periodic": periodic, "interval": periodic,
	"priority": priority, "nice": priority, "qos": priority,
	"user": "tasks run as the user that the agents of the hosts name (--task-user)",
	"gpu":  "give such hosts a label, and ask for it: `where: {gpu: a100}`",
}

const (
	periodic = "a document is one run: let cron submit it, with `lull submit --id NAME-$(date +%F)`"
	priority = "jobs run in the order of their deadlines, and queues share the pool by weight: set `deadline` or `queue`"
)

// hint names the field that was meant, or where it belongs, or all there are.
func hint(name string, v value, known []field) string {
	if form := foreignForm(name, v); form != "" {
		return form
	}
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.name
	}
	if meant := foreignFields[name]; slices.Contains(names, meant) {
		return fmt.Sprintf("did you mean %q?", meant)
	}
	if where := elsewhere(name, known); where != "" {
		return where
	}
	if how := unsupportedFields[name]; how != "" {
		return how
	}
	best := slices.MinFunc(names, func(a, b string) int { return distance(name, a) - distance(name, b) })
	if distance(name, best) <= 2 {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return "the fields here are " + strings.Join(userFields(known), ", ")
}

// userFields are the names of fields that people write, not the client alone.
func userFields(known []field) (names []string) {
	for _, f := range known {
		if !strings.Contains(f.doc, byClient) && !strings.Contains(f.doc, byRun) {
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
