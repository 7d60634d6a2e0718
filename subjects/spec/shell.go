package spec

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// defaultShell runs a command that is a line.
var defaultShell = []string{"sh", "-c"}

// ofStage and ofJob begin the description of shell.
const (
	ofStage = "The words that run a `command` that is a line: "
	ofJob   = "The words that run a `command` that is a line, in stages that say no other: "
)

func shellField(to *[]string, of string) field {
	return field{name: "shell", read: readShell(to), form: shellForm}.says(of +
		"a program of the hosts and its options. `[bash, -euo, pipefail, -c]` ends at the first command that fails, also one before a `|`. Default: `[sh, -c]`.")
}

// readShell reads the words before a command's line.
func readShell(to *[]string) func(value) error {
	return func(v value) error {
		if _, ok := v.node.(*ast.SequenceNode); !ok {
			return v.wrong("a list of words such as [bash, -euo, pipefail, -c]")
		}
		*to = []string{}
		err := v.list(func(_ int, v value) error {
			word, err := v.scalar()
			if err == nil && word == "" {
				return v.faultf("the word is empty: leave it out")
			}
			*to = append(*to, word)
			return err
		})
		switch {
		case err != nil:
			return err
		case len(*to) == 0:
			return v.faultf("the list is empty: write a program and its options, such as [bash, -euo, pipefail, -c]")
		case isShell((*to)[0]) && !slices.ContainsFunc((*to)[1:], takesLine):
			return v.faultf("%s would take the command for the name of a file: add the option -c", (*to)[0])
		}
		return nil
	}
}

// shells are the programs that are known to take a line by -c.
var shells = []string{"sh", "bash", "dash", "ksh", "mksh", "zsh", "ash"}

func isShell(program string) bool { return slices.Contains(shells, path.Base(program)) }

// lineOption is an option -c, also together with others: -ec.
var lineOption = regexp.MustCompile(`^-[A-Za-z]*c[A-Za-z]*$`)

func takesLine(word string) bool { return lineOption.MatchString(word) }

// applyShells makes the commands of stages that are lines: what is sent is the document with the shells in its
// commands.
func applyShells(d *Doc) error {
	for i := range d.Stages {
		s := &d.Stages[i]
		switch {
		case s.line != "":
			s.shell = shellOf(d, s)
			s.Command = append(slices.Clone(s.shell), s.line)
		case s.shell != nil:
			return d.place(faultf(index("stages", i)+".shell", "the command is a list, which runs without a shell: write it as one line, or leave shell out"))
		}
	}
	return nil
}

// shellOf is the stage's own shell, or that of the nearest place that names one.
func shellOf(d *Doc, s *DocStage) []string {
	switch {
	case s.shell != nil:
		return s.shell
	case d.defaults != nil && d.defaults.shell != nil:
		return d.defaults.shell
	case d.shell != nil:
		return d.shell
	}
	return defaultShell
}

// hidesFailures reports whether the stage's line has a pipeline whose failures are lost, because only the end of the
// last command of a pipeline counts.
func hidesFailures(s *DocStage) bool {
	return s.line != "" && isShell(s.shell[0]) && !strings.Contains(strings.Join(s.Command, " "), "pipefail") && hasPipeline(s.line)
}
