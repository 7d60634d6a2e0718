package spec_test

import (
	"fmt"

	"lull/subjects/spec"
)

// A client reads a document, pins the files behind its patterns, and sends it.
func Example() {
	doc, err := spec.Parse([]byte(`
name: lines
stages:
  - name: count
    command: wc -l
    inputs: ${HOME}/*.log
    split: 1MB
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	home := func(name string) (string, bool) { return "/home/me", name == "HOME" }
	if err := doc.Substitute(home); err != nil {
		fmt.Println(err)
		return
	}
	for _, need := range doc.Needs() {
		fmt.Println("look for", need.Inputs)
		found := []spec.File{{Path: "/home/me/a.log", Size: 1_500_000}, {Path: "/home/me/b.log", Size: 10}}
		var splits []spec.Split
		for s := range spec.Splits(found, need.Split, need.Group) {
			splits = append(splits, s)
		}
		doc.FillSplits(need.Stage, splits)
	}
	job, err := doc.Job()
	fmt.Println(job.Stages[0].Tasks, "tasks,", job.Stages[0].Argv, err)
	// Output:
	// look for [/home/me/*.log]
	// 3 tasks, [sh -c wc -l] <nil>
}

// What is wrong is shown where it stands.
func ExampleError() {
	_, err := spec.Parse([]byte("name: j\nstages:\n  - {name: a, command: x, task: 4}\n"))
	fmt.Println(err)
	// Output:
	// line 3, column 27: stages[0].task: unknown field: did you mean "tasks"?
	//     2 | stages:
	//     3 |   - {name: a, command: x, task: 4}
	//       |                           ^
}

// Every field that people write.
func ExampleParse() {
	doc, err := spec.Parse([]byte(`
name: nightly-index            # lower-case letters, digits, '-' and '_'
type: index                    # jobs of one type share a completion-time model; default: name
queue: nightly                 # jobs of one queue share a capacity
deadline: 2h                   # from submission on, or a time: 2026-12-01T06:00:00Z
output: ./index                # where the results of the last stages go
stages:
  - name: parse
    command: [indexer, --depth, 3]    # arguments, or a line for sh -c
    env: {LC_ALL: C}
    dir: ${HOME}/indexer              # ${NAME} is yours; default: the task's own folder
    inputs: [docs/**/*.txt]           # files and globs, and
    split: 64MB                       #   bytes a task, or group: files a task, or one file a task
    cpu: 2                            # cores a task; default 1
    memory: 1GiB                      # of a task; default 256MB
    where: {disk: ssd}                # labels that a host must carry
    retries: 5                        # default 3
    backoff: 2s                       # before the first retry, then doubled; default 1s
    timeout: 10m                      # default: none
    estimate: 30s                     # a task's time on an idle core, if you know it
  - name: merge
    command: merge-parts
    from: {stage: parse, by: partition}
    tasks: 16                         # partitions
  - name: report
    command: report "$LULL_PARAM"
    each: [short, long]               # one task a line, or a file of lines
    after: [merge]
`))
	fmt.Println(doc.Name, len(doc.Stages), err)
	// Output: nightly-index 3 <nil>
}
