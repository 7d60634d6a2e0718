package spec

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// failures is a number, or a share such as 5%.
func (v value) failures() (f Failures, err error) {
	if _, number := v.node.(*ast.IntegerNode); number {
		n, err := v.whole(0, MaxTasks)
		return Failures{Number: uint32(n)}, err
	}
	text, err := v.text()
	if err != nil {
		return f, v.wrong("a number of tasks, or a share of them such as 5%")
	}
	if n, err := strconv.ParseUint(text, 10, 32); err == nil && n <= MaxTasks {
		return Failures{Number: uint32(n)}, nil
	}
	share, isShare := strings.CutSuffix(text, "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
	if !isShare || err != nil || !(percent > 0 && percent <= 100) {
		return f, v.faultf("%q is neither a number of tasks nor a share of them: write 3 or 5%%", text)
	}
	return Failures{Share: percent / 100}, nil
}

func (s *DocStage) readMaxFailures(v value) error {
	f, err := v.failures()
	s.MaxFailures = &f
	return err
}

func (s *DocStage) readWhen(v value) error {
	text, err := v.text()
	if err == nil && text != whenSuccess && text != WhenFailure && text != WhenAlways {
		return v.faultf("%q is no outcome: write success, failure or always", text)
	}
	s.When = text
	return err
}

func (s *DocStage) readFailFast(v value) (err error) {
	s.FailFast = new(bool)
	*s.FailFast, err = v.truth()
	return err
}

func (s *DocStage) readAllowFailure(v value) (err error) {
	s.AllowFailure = new(bool)
	*s.AllowFailure, err = v.truth()
	return err
}

// truth is true or false.
func (v value) truth() (bool, error) {
	n, ok := v.node.(*ast.BoolNode)
	if !ok {
		return false, v.wrong("true or false")
	}
	return n.Value, nil
}

// failing are the fields that say what follows from failures.
func (s *DocStage) failing() []field {
	return []field{
		field{name: "max_failures", read: s.readMaxFailures, form: failuresForm}.says("How many tasks, or what share of them such as `5%`, may fail for good with the stage still done: later stages read what the others wrote. Default: 0."),
		field{name: "fail_fast", read: s.readFailFast, form: truthForm}.says("Whether a stage ends when more tasks than `max_failures` have failed for good. With `false` its other tasks run first, and then it has failed. Default: `true`."),
		field{name: "allow_failure", read: s.readAllowFailure, form: truthForm}.says("Whether the job goes on, and may finish, when the stage has failed. Once it has failed, its other tasks do not run: see `fail_fast` and `max_failures`. Default: `false`."),
	}
}

func truthForm(*field) *Schema { return &Schema{Type: "boolean"} }

func whenForm(*field) *Schema {
	return &Schema{Type: "string", Enum: []string{whenSuccess, WhenFailure, WhenAlways}}
}

func failuresForm(*field) *Schema {
	return &Schema{AnyOf: []*Schema{{Type: "integer", Minimum: limit(0), Maximum: limit(MaxTasks)}, {Type: "string", Pattern: `^([0-9]+|[0-9.]+ *%)$`}}}
}
