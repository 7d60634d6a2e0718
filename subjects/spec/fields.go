package spec

import (
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// field is one field that a map of the document may have. The parser, the schema and the
// reference all follow from it.
type field struct {
	name string
	read func(value) error
	form form
	low  int64 // of a whole number
	high int64
	must bool
	doc  string // what it means, in Markdown
}

// form returns the schema of what may stand in a field. It is called for the schema alone: a
// document may have a hundred thousand ranges, and their fields are made for each.
type form func(*field) *Schema

// says documents a field.
func (f field) says(doc string) field {
	f.doc = doc
	return f
}

// required says that the field must be there.
func (f field) required() field {
	f.must = true
	return f
}

// fields reads a map of known keys.
func (v value) fields(known ...field) error {
	return v.object(func(key, v value) error {
		name := key.node.(*ast.StringNode).Value
		for _, f := range known {
			if f.name == name {
				return f.read(v)
			}
		}
		return key.faultf("unknown field: %s", hint(name, v, known))
	})
}

func text(name string, to *string) field {
	return field{name: name, form: textForm, read: func(v value) (err error) {
		*to, err = v.text()
		return err
	}}
}

func whole[N uint32 | int | int64](name string, to *N, low, high int64) field {
	return field{name: name, form: wholeForm, low: low, high: high, read: func(v value) error {
		n, err := v.whole(low, high)
		*to = N(n)
		return err
	}}
}

func size(name string, to *int64) field {
	return field{name: name, form: sizeForm, read: func(v value) (err error) {
		*to, err = v.size()
		return err
	}}
}

func duration(name string, to *Duration) field {
	return field{name: name, form: durationForm, read: func(v value) error {
		d, err := v.duration()
		*to = Duration(d)
		return err
	}}
}

// longestBackoff is a wait that can double ten times without an overflow.
const longestBackoff = 30 * 24 * time.Hour

// backoff reads a duration of at most longestBackoff.
func backoff(name string, to *Duration) field {
	return field{name: name, form: durationForm, read: func(v value) error {
		d, err := v.duration()
		if err == nil && d > longestBackoff {
			return v.faultf("it is longer than 30 days, the longest backoff: give at most 720h")
		}
		*to = Duration(d)
		return err
	}}
}

// texts reads a list of strings; a single one stands for a list of one.
func texts(name string, to *[]string) field {
	return field{name: name, form: textsForm, read: func(v value) error {
		if _, ok := v.node.(*ast.SequenceNode); ok {
			return v.list(func(_ int, v value) error {
				s, err := v.text()
				*to = append(*to, s)
				return err
			})
		}
		s, err := v.text()
		*to = []string{s}
		return err
	}}
}

// table reads a map of names to text.
func table(name string, to *map[string]string) field {
	return checkedTable(name, to, func(string) error { return nil })
}

// checkedTable reads a map of names to text, whose names pass a check.
func checkedTable(name string, to *map[string]string, check func(name string) error) field {
	return field{name: name, form: tableForm, read: func(v value) error {
		*to = map[string]string{}
		return v.object(func(key, v value) error {
			s, err := v.scalar()
			name := key.node.(*ast.StringNode).Value
			if strings.Contains(name, "=") { // it would become another name and value
				return key.faultf("%.80q is not a name: leave out the '='", name)
			}
			if err := check(name); err != nil {
				return key.faultf("%v", err)
			}
			(*to)[name] = s
			return err
		})
	}}
}
