package spec

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Bounds of what a short text stands for.
const (
	maxExpanded = 100_000 // items of a document's ranges and matrices together
	maxMatrix   = 10_000  // combinations, before those that are left out
	maxAxes     = 16
	maxExcluded = 64      // entries of exclude
	maxVars     = 4 << 20 // bytes of all combinations together
)

const tooExpanded = "the ranges and matrices of the document stand for more than %d items: shorten them, write tasks: and count with LULL_TASK, or split the job"

// Matrix makes one task a combination of values.
type Matrix struct {
	axes    []axis // in the order in which they were written
	exclude []map[string]string
}

// axis is one key with its values.
type axis struct {
	name   string
	values []string
}

// MarshalJSON writes the form that Parse reads, with the keys in order: it gives tasks their numbers.
func (m *Matrix) MarshalJSON() ([]byte, error) {
	b := []byte("{")
	pair := func(name string, v any) error {
		body, err := json.Marshal(v)
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(strconv.AppendQuote(b, name), ':'), body...)
		return err
	}
	for _, a := range m.axes {
		if err := pair(a.name, a.values); err != nil {
			return nil, err
		}
	}
	if len(m.exclude) > 0 {
		if err := pair("exclude", m.exclude); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func (s *DocStage) readMatrix(v value) error {
	s.Matrix = &Matrix{}
	err := v.object(func(key, v value) error {
		name := key.node.(*ast.StringNode).Value
		if name == "exclude" {
			return s.Matrix.readExclude(v)
		}
		if !variable.MatchString(name) || strings.HasPrefix(name, "LULL_") {
			return key.faultf("%q cannot be a variable of a task: use letters, digits and '_', and no name that begins with LULL_", name)
		}
		return s.Matrix.readAxis(name, v)
	})
	if err != nil {
		return err
	}
	return s.Matrix.check(v)
}

func (m *Matrix) readAxis(name string, v value) (err error) {
	a := axis{name: name}
	if _, ok := v.node.(*ast.SequenceNode); ok {
		err = v.list(func(_ int, v value) error {
			text, err := v.scalar()
			a.values = append(a.values, text)
			return err
		})
	} else if a.values, err = v.span(); a.values == nil && err == nil {
		err = v.wrong("a list, or a range such as 1..20")
	}
	if err == nil && len(a.values) == 0 {
		err = v.faultf("the list is empty: give at least one value")
	}
	m.axes = append(m.axes, a)
	return err
}

func (m *Matrix) readExclude(v value) error {
	return v.list(func(_ int, v value) error {
		var some map[string]string
		err := table("exclude", &some).read(v)
		m.exclude = append(m.exclude, some)
		return err
	})
}

func (m *Matrix) check(v value) error {
	if len(m.axes) == 0 || len(m.axes) > maxAxes {
		return v.faultf("the matrix has %d keys with values: give it 1 to %d", len(m.axes), maxAxes)
	}
	n, longest := 1, 0
	for _, a := range m.axes {
		longest += a.longest()
		if n *= len(a.values); n > maxMatrix {
			return v.faultf("the matrix has more than %d combinations: leave out values, or split the job", maxMatrix)
		}
	}
	switch {
	case n*longest > maxVars:
		return v.faultf("the values of all combinations take more than %d bytes: put long ones into files and give their names", maxVars)
	case len(m.exclude) > maxExcluded:
		return v.faultf("exclude has more than %d entries: name fewer keys in each", maxExcluded)
	}
	return m.checkExclude(v, n)
}

// longest bounds what the key and one of its values take, in bytes.
func (a *axis) longest() int {
	longest := 0
	for _, value := range a.values {
		longest = max(longest, len(value))
	}
	return len(a.name) + longest + 2
}

func (m *Matrix) checkExclude(v value, combinations int) error {
	for _, some := range m.exclude {
		for name := range some {
			if !m.has(name) {
				return v.faultf("exclude names %q, which is no key of the matrix: name one, or remove it", name)
			}
		}
	}
	if _, splits := m.split(); len(splits) == 0 {
		return v.faultf("exclude leaves out every combination: keep at least one")
	}
	return v.expand(combinations)
}

func (m *Matrix) has(name string) bool {
	for _, a := range m.axes {
		if a.name == name {
			return true
		}
	}
	return false
}

// split returns the names of the keys, and what each task gets. The last key varies fastest.
func (m *Matrix) split() (names []string, splits []Split) {
	combinations := 1
	for _, a := range m.axes {
		names = append(names, a.name)
		combinations *= len(a.values)
	}
	for n := range combinations {
		vars := make([]string, len(m.axes))
		for i, rest := len(m.axes)-1, n; i >= 0; i-- {
			values := m.axes[i].values
			vars[i], rest = values[rest%len(values)], rest/len(values)
		}
		if !m.excluded(vars) {
			splits = append(splits, Split{Vars: vars, Param: described(names, vars)})
		}
	}
	return names, splits
}

func (m *Matrix) excluded(vars []string) bool {
	for _, some := range m.exclude {
		matches := len(some) > 0
		for i, a := range m.axes {
			if want, named := some[a.name]; named && want != vars[i] {
				matches = false
			}
		}
		if matches {
			return true
		}
	}
	return false
}

func described(names, vars []string) string {
	pairs := make([]string, len(names))
	for i := range names {
		pairs[i] = names[i] + "=" + vars[i]
	}
	return strings.Join(pairs, " ")
}

// checkVariables checks the variables that differ from task to task.
func (s *Stage) checkVariables(at string) error {
	for _, name := range s.Vars {
		if !variable.MatchString(name) || strings.HasPrefix(name, "LULL_") || len(name) > maxName {
			return faultf(at+".matrix", "%.80q cannot be a variable of a task", name)
		}
	}
	if len(s.Vars) > maxAxes {
		return faultf(at+".matrix", "there are %d variables, at most %d are allowed", len(s.Vars), maxAxes)
	}
	for _, split := range s.Splits {
		if len(split.Vars) != len(s.Vars) || strings.ContainsRune(strings.Join(split.Vars, ""), 0) {
			return faultf(at+".matrix", "each task needs a value without NUL for each of %d variables", len(s.Vars))
		}
	}
	return nil
}
