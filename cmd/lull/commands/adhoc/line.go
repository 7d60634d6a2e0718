package adhoc

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"lull/cmd/lull/shellword"
	"lull/subjects/spec"
)

// Line is a command line that the tasks of a job run.
type Line struct {
	Name   string   // of the job; "" for the command's
	Args   []string // the command and its arguments; one alone that holds a space is a line of shell
	Tasks  uint32   // how many tasks run it, if there are no values
	Each   []string // values, one a task
	Dir    string   // where tasks run; "" for their own folders
	Env    map[string]string
	Memory int64    // bytes a task, 0 for the default
	Files  []string // sent along, for folders of the tasks' own
	Stdin  string   // name of the standard input that this process gives to the one task, "" for none
	Sent   string   // file that is sent along as the standard input of the one task, "" for none
}

// stageName is the name of the one stage.
const stageName = "run"

// Single reports whether one task runs the line as it is.
func (l Line) Single() bool { return l.Each == nil && l.Tasks == 1 }

// Document returns the job of the line. A command runs once: if it fails, its user repeats it if that
// makes sense.
func (l Line) Document() *spec.Doc {
	once, failFast := uint32(0), false
	stage := spec.DocStage{Name: stageName, Dir: l.Dir, Env: l.Env, Retries: &once, Memory: l.Memory, Stdin: l.Stdin, Command: []string{"/bin/sh", "-c", l.redirected()}}
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
	case l.Each != nil:
		stage.Each = &spec.Each{}
		for i := range l.Each {
			stage.Each.Lines = append(stage.Each.Lines, l.param(i))
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

// script returns what a task's shell runs.
func (l Line) script() string {
	if l.Each != nil {
		return `eval "$LULL_PARAM"`
	}
	task := 0
	if !l.Single() {
		task = -1
	}
	if _, ok := l.shell(); ok {
		return l.command("", task)
	}
	return "exec " + l.command("", task)
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

// param returns the parameter of task i of a line with values: its command, which also sets LULL_PARAM to
// the value.
func (l Line) param(i int) string {
	return "LULL_PARAM=" + shellword.Of(l.Each[i]) + "; " + l.Command(i)
}

// Command is the line of shell that task i runs.
func (l Line) Command(i int) string {
	if l.Each == nil {
		return l.command("", i)
	}
	return l.command(l.Each[i], i)
}
