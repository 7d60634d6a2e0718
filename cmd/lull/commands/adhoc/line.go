package adhoc

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"lull/cmd/lull/shellword"
	"lull/subjects/spec"
)

// Line is a command line that the tasks of a job run.
type Line struct {
	Name    string     // of the job; "" for the command's
	Args    []string   // the command and its arguments; one alone that holds a space is a line of shell
	Tasks   uint32     // how many tasks run it, if there are no values
	Each    []string   // values, one a task; of several lists, the values of a task with spaces between them
	Parts   [][]string // of each task, its values from several lists; nil for one list
	Mark    string     // stands for the value; "" for {}
	Pick    []int      // the tasks that run, of a run that goes on with an earlier one; nil for all
	Dir     string     // where tasks run; "" for their own folders
	Env     map[string]string
	CPU     spec.Cores    // of a task, 0 for the default
	Memory  int64         // bytes a task, 0 for the default
	Retries uint32        // how many times more a failed command is tried
	Timeout spec.Duration // of an attempt, in the time in which it could run; 0 for none
	Files   []string      // sent along, for folders of the tasks' own
	Stdin   string        // name of the standard input that this process gives to the one task, "" for none
	Sent    string        // file that is sent along as the standard input of the one task, "" for none
}

// stageName is the name of the one stage.
const stageName = "run"

// Single reports whether one task runs the line as it is.
func (l Line) Single() bool { return l.Each == nil && l.Tasks == 1 }

// Total is how many tasks the job has.
func (l Line) Total() int {
	if l.Pick != nil {
		return len(l.Pick)
	}
	return l.whole()
}

// whole is how many tasks the line has, also those that an earlier run has done.
func (l Line) whole() int {
	if l.Each != nil {
		return len(l.Each)
	}
	return int(l.Tasks)
}

// Number returns which command of the line a task of the job runs, from 0.
func (l Line) Number(task int) int {
	if l.Pick != nil {
		return l.Pick[task]
	}
	return task
}

// Label names a command of the line: its value, or without values its number from 1.
func (l Line) Label(number int) string {
	if l.Each != nil {
		return l.Each[number]
	}
	return strconv.Itoa(number + 1)
}

// Document returns the job of the line. A command runs once, unless Retries says more: whether a second
// run makes sense is known to its user.
func (l Line) Document() *spec.Doc {
	failFast := false
	stage := spec.DocStage{Name: stageName, Dir: l.Dir, Env: l.Env, Retries: &l.Retries, CPU: l.CPU, Memory: l.Memory, Timeout: l.Timeout, Stdin: l.Stdin, Command: []string{"/bin/sh", "-c", l.redirected()}}
	for _, file := range l.Files {
		stage.Files = append(stage.Files, spec.DocFile{From: file})
	}
	if l.Sent != "" {
		stage.Files = append(stage.Files, spec.DocFile{From: l.Sent, To: sentName})
	}
	if !l.Single() {
		stage.FailFast = &failFast
	}
	switch {
	case l.listed():
		stage.Each = &spec.Each{}
		for task := range l.Total() {
			stage.Each.Lines = append(stage.Each.Lines, l.param(l.Number(task)))
		}
	default:
		stage.Tasks = l.Tasks
	}
	return &spec.Doc{Name: l.name(), Stages: []spec.DocStage{stage}}
}

// name returns the job's name: the one that was asked for, or the command's, in characters that a job's name may have.
func (l Line) name() string {
	if l.Name != "" {
		return l.Name
	}
	first, _, _ := strings.Cut(strings.TrimSpace(l.Args[0]), " ")
	name := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, filepath.Base(first)), "-")
	const most = 30
	if len(name) > most {
		name = name[:most]
	}
	if name == "" {
		return stageName
	}
	return name
}

// sentName is the name of a standard input that is sent along, in the task's own folder.
const sentName = ".lull-stdin"

// redirected is the script, which reads the standard input that is sent along if there is one.
func (l Line) redirected() string {
	if l.Sent == "" {
		return l.script()
	}
	return `exec <"$LULL_FILES"/` + sentName + "\n" + l.script()
}

// listed reports whether each task's command is its parameter.
func (l Line) listed() bool { return l.Each != nil || l.Pick != nil }

// script returns what a task's shell runs.
func (l Line) script() string {
	if l.listed() {
		return `eval "$LULL_PARAM"`
	}
	task := 0
	if !l.Single() {
		task = -1
	}
	if _, ok := l.shell(); ok {
		return l.command(nil, task)
	}
	return "exec " + l.command(nil, task)
}

// Fits returns an error if the command of a value is longer than a task's parameter may be, or if the document
// cannot carry the command's bytes.
func (l Line) Fits() error {
	if !utf8.ValidString(l.script()) {
		return fmt.Errorf("the command %q is not UTF-8, so a job cannot carry it: give such names as values, with --each FILE", strings.Join(l.Args, " "))
	}
	for name, value := range l.Env {
		if !utf8.ValidString(value) {
			return fmt.Errorf("the value %q of %s is not UTF-8, so a job cannot carry it: write it in UTF-8", value, name)
		}
	}
	for i := range l.Each {
		if err := (spec.Split{Param: l.param(i)}).Validate(); err != nil {
			return fmt.Errorf("value %d, of %d bytes, which stands in its task's parameter more than once: %w", i+1, len(l.Each[i]), err)
		}
	}
	return nil
}

// param returns the parameter of the task that runs a command: the command, which also sets LULL_PARAM to
// the value, and in a run that goes on LULL_TASK to the number that it has in the whole.
func (l Line) param(number int) string {
	set := ""
	if l.Each != nil {
		set = "LULL_PARAM=" + shellword.Of(l.Each[number]) + "; "
	}
	if l.Pick != nil {
		set += "LULL_TASK=" + strconv.Itoa(number) + "; "
	}
	return set + l.Command(number)
}

// Command is the line of shell that runs as the command of a number, from 0.
func (l Line) Command(number int) string { return l.command(l.row(number), number) }

// row returns the values of a command.
func (l Line) row(number int) []string {
	switch {
	case l.Parts != nil:
		return l.Parts[number]
	case l.Each != nil:
		return l.Each[number : number+1]
	}
	return nil
}
