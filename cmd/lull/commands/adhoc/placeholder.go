package adhoc

import (
	"path"
	"strconv"
	"strings"

	"lull/cmd/lull/shellword"
)

// parts are what GNU parallel's placeholders take of a value, by what stands in their braces.
var parts = []struct {
	in string
	of func(string) string
}{
	{"", func(value string) string { return value }},
	{".", withoutExtension},
	{"//", path.Dir},
	{"/.", func(value string) string { return withoutExtension(path.Base(value)) }},
	{"/", path.Base},
}

// mark stands for the value if the line names nothing else.
const mark = "{}"

// taskMark stands for the number of a task.
const taskMark = "{#}"

// command replaces the placeholders of the line by a task's values. Without one, the values are the last
// arguments. The number of a task counts from 1. With task -1 the task's shell inserts it.
func (l Line) command(row []string, task int) string {
	if script, ok := l.shell(); ok {
		text := l.replacer(row, task, shellword.Of).Replace(script)
		if row != nil && !l.holds(len(row)) {
			text += " " + quoted(row)
		}
		return text
	}
	words := make([]string, 0, len(l.Args)+1)
	for _, arg := range l.Args {
		words = append(words, l.word(arg, row, task))
	}
	if row != nil && !l.holds(len(row)) {
		words = append(words, quoted(row))
	}
	return strings.Join(words, " ")
}

// quoted returns values as words of a shell.
func quoted(values []string) string {
	words := make([]string, len(values))
	for i, value := range values {
		words[i] = shellword.Of(value)
	}
	return strings.Join(words, " ")
}

// word is one argument as the shell reads it. Values of several lists that stand alone are words each.
func (l Line) word(arg string, row []string, task int) string {
	if row != nil && arg == l.mark() {
		return quoted(row)
	}
	if task < 0 && strings.Contains(arg, taskMark) {
		parts := strings.Split(arg, taskMark)
		for i := range parts {
			parts[i] = shellword.Of(parts[i])
		}
		return strings.Join(parts, number)
	}
	return shellword.Of(l.replacer(row, task, func(s string) string { return s }).Replace(arg))
}

// number is a task's number from 1, in shell.
const number = `"$((LULL_TASK+1))"`

// shell returns the command if it is a line of shell: a single argument with a space.
func (l Line) shell() (script string, ok bool) {
	return l.Args[0], len(l.Args) == 1 && strings.ContainsAny(strings.TrimSpace(l.Args[0]), " \t\n;|&<>$`")
}

// mark is what stands for the value.
func (l Line) mark() string {
	if l.Mark != "" {
		return l.Mark
	}
	return mark
}

// marks returns what stands for a part of the values of so many lists: of all together, and of the list of a
// position, from 1.
func (l Line) marks(lists int, add func(mark string, list, part int)) {
	for part, p := range parts {
		mark := "{" + p.in + "}"
		if part == 0 {
			mark = l.mark()
		}
		add(mark, 0, part)
		for list := 1; list <= lists; list++ {
			add("{"+strconv.Itoa(list)+p.in+"}", list, part)
		}
	}
}

// holds reports whether any argument has a placeholder.
func (l Line) holds(lists int) (found bool) {
	all := strings.Join(l.Args, "\n")
	l.marks(lists, func(mark string, _, _ int) { found = found || strings.Contains(all, mark) })
	return found || strings.Contains(all, taskMark)
}

// replacer replaces placeholders by what they stand for, each passed through a function. Where
// there are no values, only the number of the task is one.
func (l Line) replacer(row []string, task int, as func(string) string) *strings.Replacer {
	var pairs []string
	if row != nil {
		l.marks(len(row), func(mark string, list, part int) {
			from := row
			if list > 0 {
				from = row[list-1 : list]
			}
			words := make([]string, len(from))
			for i, value := range from {
				words[i] = as(parts[part].of(value))
			}
			pairs = append(pairs, mark, strings.Join(words, " "))
		})
	}
	n := number
	if task >= 0 {
		n = strconv.Itoa(task + 1)
	}
	return strings.NewReplacer(append(pairs, taskMark, n)...)
}

// withoutExtension cuts what follows the last dot of a path's last part.
func withoutExtension(name string) string {
	at := strings.LastIndexByte(name, '.')
	if at <= strings.LastIndexByte(name, '/')+1 {
		return name
	}
	return name[:at]
}
