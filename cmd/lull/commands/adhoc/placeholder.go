package adhoc

import (
	"path"
	"strconv"
	"strings"

	"lull/cmd/lull/shellword"
)

// placeholders are GNU parallel's.
var placeholders = []string{"{}", "{.}", "{/}", "{//}", "{/.}", "{#}"}

// command replaces the placeholders of the line. Without one, the value is the last argument. The
// number of a task counts from 1. With task -1 the task's shell inserts it.
func (l Line) command(value string, task int) string {
	replace := replacer(value, task, l.Each != nil)
	if script, ok := l.shell(); ok {
		text := replace(script, shellword.Of)
		if l.Each != nil && !holds(l.Args) {
			text += " " + shellword.Of(value)
		}
		return text
	}
	words := make([]string, 0, len(l.Args)+1)
	for _, arg := range l.Args {
		words = append(words, l.word(arg, replace, task))
	}
	if l.Each != nil && !holds(l.Args) {
		words = append(words, shellword.Of(value))
	}
	return strings.Join(words, " ")
}

// word is one argument as the shell reads it.
func (l Line) word(arg string, replace func(string, func(string) string) string, task int) string {
	if task < 0 && strings.Contains(arg, "{#}") {
		parts := strings.Split(arg, "{#}")
		for i := range parts {
			parts[i] = shellword.Of(parts[i])
		}
		return strings.Join(parts, number)
	}
	return shellword.Of(replace(arg, func(s string) string { return s }))
}

// number is a task's number from 1, in shell.
const number = `"$((LULL_TASK+1))"`

// shell returns the command if it is a line of shell: a single argument with a space.
func (l Line) shell() (script string, ok bool) {
	return l.Args[0], len(l.Args) == 1 && strings.ContainsAny(strings.TrimSpace(l.Args[0]), " \t\n;|&<>$`")
}

// holds reports whether any argument has a placeholder.
func holds(args []string) bool {
	for _, arg := range args {
		for _, p := range placeholders {
			if strings.Contains(arg, p) {
				return true
			}
		}
	}
	return false
}

// replacer replaces placeholders by what they stand for, each passed through a function. Where
// there are no values, only the number of the task is one.
func replacer(value string, task int, values bool) func(text string, as func(string) string) string {
	base, bare := path.Base(value), withoutExtension(value)
	return func(text string, as func(string) string) string {
		var pairs []string
		if values {
			pairs = append(pairs, "{}", as(value), "{.}", as(bare), "{//}", as(path.Dir(value)), "{/.}", as(withoutExtension(base)), "{/}", as(base))
		}
		if task < 0 {
			pairs = append(pairs, "{#}", number)
		} else {
			pairs = append(pairs, "{#}", strconv.Itoa(task+1))
		}
		return strings.NewReplacer(pairs...).Replace(text)
	}
}

// withoutExtension cuts what follows the last dot of a path's last part.
func withoutExtension(name string) string {
	at := strings.LastIndexByte(name, '.')
	if at <= strings.LastIndexByte(name, '/')+1 {
		return name
	}
	return name[:at]
}
