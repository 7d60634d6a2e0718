package spec

import "math"

// The forms of fields: what may stand in them. The parser is stricter where a schema cannot say
// it, as for durations of more than ten years.

const (
	sizePattern     = `^[0-9][0-9.]* *[A-Za-z]*$`
	durationPattern = `^\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`
)

func textForm(*field) *Schema { return &Schema{Type: "string", MinLength: 1} }

func scalarForm(*field) *Schema {
	return &Schema{AnyOf: []*Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}}
}

func wholeForm(f *field) *Schema {
	s := &Schema{Type: "integer"}
	if f.low > math.MinInt64 {
		s.Minimum = limit(f.low)
	}
	if f.high < math.MaxInt64 {
		s.Maximum = limit(f.high)
	}
	return s
}

// limit is a bound of numbers.
func limit[N int | int64 | float64](n N) *float64 { return new(float64(n)) }

func sizeForm(*field) *Schema {
	return &Schema{AnyOf: []*Schema{{Type: "string", Pattern: sizePattern}, {Type: "integer", Minimum: limit(1)}}}
}

func durationForm(*field) *Schema { return &Schema{Type: "string", Pattern: durationPattern} }

// textsForm is a list of texts, or one of them.
func textsForm(f *field) *Schema {
	return &Schema{AnyOf: []*Schema{textForm(f), {Type: "array", Items: textForm(f)}}}
}

func tableForm(f *field) *Schema {
	return &Schema{Type: "object", Additional: scalarForm(f)}
}

func commandForm(f *field) *Schema {
	return &Schema{AnyOf: []*Schema{textForm(f), {Type: "array", Items: scalarForm(f), MinItems: 1}}}
}

func shellForm(f *field) *Schema {
	return &Schema{Type: "array", Items: scalarForm(f), MinItems: 1}
}

func eachForm(f *field) *Schema { return commandForm(f) }

// matrixForm is a map of lists and ranges.
func matrixForm(f *field) *Schema {
	values := &Schema{AnyOf: []*Schema{{Type: "string", Pattern: `^[+-]?[0-9]+\.\.[+-]?[0-9]+$`}, {Type: "array", Items: scalarForm(f), MinItems: 1}}}
	return &Schema{Type: "object", Additional: values, Properties: map[string]*Schema{
		"exclude": {Type: "array", Items: tableForm(f), Description: "Combinations to leave out, each by some of their keys."},
	}}
}

func defaultsForm(*field) *Schema { return objectOf(new(DocStage).shared()) }

func deadlineForm(f *field) *Schema {
	return &Schema{AnyOf: []*Schema{textForm(f), objectOf(new(Doc).deadlineFields())}}
}

func lateForm(*field) *Schema { return &Schema{Type: "string", Enum: []string{LateRun, LateReject}} }

func recordForm(*field) *Schema { return &Schema{Type: "string", Enum: []string{RecordCSV}} }

func byForm(*field) *Schema {
	return &Schema{Type: "string", Enum: []string{ByAll, ByPartition, ByTask}}
}

func fromForm(f *field) *Schema {
	one := func() *Schema {
		return &Schema{AnyOf: []*Schema{textForm(f), objectOf(new(DocFrom).fields())}}
	}
	some := one()
	some.AnyOf = append(some.AnyOf, &Schema{Type: "array", Items: one()})
	return some
}

func stagesForm(*field) *Schema {
	return &Schema{Type: "array", Items: objectOf(new(DocStage).fields()), MinItems: 1, MaxItems: MaxStages}
}

func splitsForm(*field) *Schema {
	return &Schema{Type: "array", Items: objectOf(new(Split).fields())}
}

func rangesForm(*field) *Schema {
	return &Schema{Type: "array", Items: objectOf(new(Range).fields())}
}
