package shim

import (
	"errors"
	"regexp"
	"strings"

	"golang.org/x/sys/unix"

	"lull/hostctl/store"
	"lull/subjects"
)

// Exit statuses of a shell that could not run its last command.
const (
	shellCannotRun = 126
	shellNotFound  = 127
)

// absent explains the end of a shell whose line names a command that this host does not have; it
// returns nil for all other ends. A program may exit with 127 for reasons of its own, so absent
// looks for the command. Only a command that is truly missing counts.
func (t *task) absent(status int) (found *absentCommand) {
	line, ok := shellLine(t.Argv)
	if !ok || status != shellNotFound && status != shellCannotRun {
		return nil
	}
	commands := possiblyMissing(line, t.lastErrorLine())
	_ = t.Bounds.User.As(func() error {
		for _, command := range commands {
			if err := missing(command, t.Env, t.Dir); err != nil {
				found = explainAbsence(command, err, &t.Task)
				break
			}
		}
		return nil
	})
	return found
}

// absentCommand is the fault of a shell's command, with the exit status that every shell should
// give it. Shells differ: dash exits with 126 if it may not enter one folder of PATH and finds the
// command in no other.
type absentCommand struct {
	fault
	status int
}

func explainAbsence(command string, err error, t *Task) *absentCommand {
	var dos *dosError
	switch {
	case errors.As(err, &dos):
		return &absentCommand{fault{reason: subjects.ReasonNotFound, text: dos.Error()}, shellNotFound}
	case errors.Is(err, unix.ENOENT):
		return &absentCommand{fault{reason: subjects.ReasonNotFound, text: notFound(command, err)}, shellNotFound}
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EISDIR):
		return &absentCommand{fault{reason: subjects.ReasonNotFound, text: notExecutable(command, err, t)}, shellCannotRun}
	}
	return nil
}

// lastErrorLine is the last line that the task wrote to its stderr.
func (t *task) lastErrorLine() string {
	const most = 1024
	text := strings.TrimRight(store.Tail(t.Stderr, most), "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// shellLine returns the line that a task gives to a shell, such as sh -c or bash -euo pipefail -c.
func shellLine(argv []string) (line string, ok bool) {
	n := len(argv)
	if n < 3 || !shellForm.MatchString(argv[0]) || !lineForm.MatchString(argv[n-2]) {
		return "", false
	}
	return argv[n-1], true
}

// shellForm and lineForm match a shell and its option -c, which stands before the line.
var (
	shellForm = regexp.MustCompile(`^(?:/(?:usr/)?bin/)?(?:sh|bash|dash)$`)
	lineForm  = regexp.MustCompile(`^-[a-z]*c$`)
)

// possiblyMissing returns the commands of a line that the shell may not have found: the first one, and the
// one of its last complaint. A complaint counts only for a name without a path, which is looked up
// in the PATH. A command with a path may be made by an earlier command of the line, and exist on
// the next try.
func possiblyMissing(line, complaint string) (commands []string) {
	if first, ok := firstCommand(line); ok {
		commands = append(commands, first)
	}
	if m := complaintForm.FindStringSubmatch(complaint); m != nil && strings.Contains(line, m[1]) {
		commands = append(commands, m[1])
	}
	return commands
}

// complaintForm is how dash, busybox and bash report a name that they do not find.
var complaintForm = regexp.MustCompile(`^(?:\S*/)?(?:ba|da)?sh: (?:line )?(?:\d+: )?(?:exec: )?([\w.+-]+): (?:command )?not found$`)

// firstForm is a command at the beginning of a line: a plain word, in quotes or not, behind
// comments and an exec. What ends it must not make it something else, such as a function.
var firstForm = regexp.MustCompile(`^(?:\s|#[^\n]*\n)*(?:exec\s+)?(?:([\w./+-]+)|'([^'\n]+)')(?:[ \t]+[^\s(]|[ \t]*(?:$|[\n;&|<>]))`)

// firstCommand is the first command of a line, if it is a plain word that names a program.
func firstCommand(line string) (command string, ok bool) {
	m := firstForm.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	if command = m[1] + m[2]; builtins[command] {
		return "", false
	}
	return command, true
}

// builtins are the words that a shell runs without a program.
var builtins = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`. : alias bg bind break builtin caller case cd command compgen complete compopt continue
		declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash
		help history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set
		shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while`) {
		words[w] = true
	}
	return words
}()
