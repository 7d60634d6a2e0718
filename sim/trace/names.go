package trace

import (
	"strconv"
	"strings"

	"lull/subjects"
)

// names converts people's names to a form that the log can hold. Two names that would become the same get
// different forms.
type names struct {
	form  func(string) string
	given map[string]string // theirs → ours
	taken map[string]int    // ours → the number to try next
}

func newNames(form func(string) string) *names {
	return &names{form, map[string]string{}, map[string]int{}}
}

func (n *names) of(name string) string {
	if ours, ok := n.given[name]; ok {
		return ours
	}
	base := n.form(name)
	ours := base
	for n.taken[ours] > 0 {
		n.taken[base]++
		tail := "-" + strconv.Itoa(n.taken[base])
		ours = base[:min(len(base), maxJobName-len(tail))] + tail
	}
	n.given[name], n.taken[ours] = ours, 1
	return ours
}

// hostName is a token of a subject.
func hostName(name string) string {
	name = subjects.Token(name)
	return name[:min(len(name), maxJobName)]
}

const maxJobName = 64

// jobName is what package spec takes for a name: lower-case letters, digits,
// '-' and '_', not beginning with '-'.
func jobName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '_':
			return r
		}
		return '-'
	}, name)
	name = strings.TrimLeft(name, "-")
	if name == "" {
		return "job"
	}
	return name[:min(len(name), maxJobName)]
}
