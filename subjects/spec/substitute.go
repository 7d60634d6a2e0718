package spec

import (
	"fmt"
	"regexp"
	"strings"
)

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Substitute replaces ${NAME} in the paths that the submitting machine reads
// and writes: inputs, each, env_file, files, dir and output. Commands keep theirs for the
// task's own shell. A name that lookup does not know is an error.
func (d *Doc) Substitute(lookup func(name string) (string, bool)) error {
	r := replacer{lookup: lookup}
	r.replace("output", &d.Output)
	r.files("files", d.Files)
	for i := range d.Stages {
		s, path := &d.Stages[i], index("stages", i)
		r.replace(path+".dir", &s.Dir)
		r.files(path+".files", s.Files)
		for k := range s.EnvFile {
			r.replace(index(path+".env_file", k), &s.EnvFile[k])
		}
		for k := range s.Inputs {
			r.replace(index(path+".inputs", k), &s.Inputs[k])
		}
		if s.Each != nil {
			r.replace(path+".each", &s.Each.File)
		}
	}
	if r.err != nil {
		return d.place(r.err)
	}
	return nil
}

// replacer keeps the first error.
type replacer struct {
	lookup func(string) (string, bool)
	err    error
}

func (r *replacer) files(path string, files []DocFile) {
	for k := range files {
		r.replace(index(path, k), &files[k].From)
	}
}

func (r *replacer) replace(path string, s *string) {
	if r.err != nil {
		return
	}
	out, err := expand(*s, r.lookup)
	if err != nil {
		r.err = faultf(path, "%v", err)
		return
	}
	*s = out
}

func expand(s string, lookup func(string) (string, bool)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || !variable.MatchString(name) {
			return "", fmt.Errorf("%q holds '${' without a name and '}' after it: write ${NAME}", s)
		}
		v, ok := lookup(name)
		if !ok {
			return "", fmt.Errorf("${%s} is not set: export %s=… before you submit, or write the path out", name, name)
		}
		b.WriteString(v)
		s = after
	}
}
