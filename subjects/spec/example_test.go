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
