package firstday

import (
	"fmt"
	"os"
	"path/filepath"

	"lull/test/tables"
)

// job is what a newcomer tries.
type job struct {
	name    string
	yaml    func() (string, error)
	prepare func(folder string) error // nil for nothing
}

// jobs are the examples and what people write first.
func jobs() []job {
	return []job{
		{name: "grep", yaml: example("grep")},
		{name: "sweep", yaml: example("sweep")},
		{name: "wordcount", yaml: example("wordcount")},
		{name: "stages", yaml: text(stages())},
		{name: "line", yaml: text("name: line\ndeadline: 24h\nstages:\n  - {name: say, tasks: 1, command: echo hi}\n")},
		{name: "files", yaml: text("name: files\noutput: ./out\nstages:\n  - {name: count, inputs: [\"in/*\"], group: 10, command: 'cat $(cat \"$LULL_INPUT_LIST\") | wc > \"$LULL_OUT/count\"'}\n"), prepare: smallFiles},
	}
}

func text(yaml string) func() (string, error) {
	return func() (string, error) { return yaml, nil }
}

func example(name string) func() (string, error) {
	return func() (string, error) {
		body, err := os.ReadFile(filepath.Join(tables.Module(), "examples", name+".yaml"))
		return string(body), err
	}
}

// stages are five, one behind the other, of four tasks that compute.
func stages() string {
	doc := "name: stages\nstages:\n"
	for i := range 5 {
		doc += fmt.Sprintf("  - name: s%d\n    tasks: 4\n    command: awk 'BEGIN { for (i = 0; i < 4000000; i++) x += i }'\n", i)
		if i > 0 {
			doc += fmt.Sprintf("    after: [s%d]\n", i-1)
		}
	}
	return doc
}

// smallFiles makes 500 files of a few kilobytes.
func smallFiles(folder string) error {
	in := filepath.Join(folder, "in")
	if err := os.Mkdir(in, 0o755); err != nil {
		return err
	}
	line := []byte("a line of a small file\n")
	for i := range 500 {
		var body []byte
		for range 100 + i%100 {
			body = append(body, line...)
		}
		if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("%03d", i)), body, 0o644); err != nil {
			return err
		}
	}
	return nil
}
