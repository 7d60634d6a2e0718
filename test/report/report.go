// Package report formats the results of all benchmarks and experiments: as a table for people, or as one
// JSON object for machines. A result has rows, and checks of its figures against bounds.
package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Report is one result.
type Report struct {
	Name   string   `json:"name"`
	Rows   []Row    `json:"rows"`
	Checks []Check  `json:"checks"`
	Notes  []string `json:"notes,omitempty"` // what a reader must know to read the rows
}

// Cell is one named figure of a row.
type Cell struct {
	Key   string
	Value any
}

// Row is one line of the table; its cells keep their order, also in JSON.
type Row []Cell

// MarshalJSON writes the row as an object with its keys in order.
func (r Row) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, c := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(c.Value)
		if err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.Key, err)
		}
		fmt.Fprintf(&b, "%q:%s", c.Key, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Check compares a figure with its bound.
type Check struct {
	What  string  `json:"what"`
	Value float64 `json:"value"`
	Bound float64 `json:"bound"`
	Holds bool    `json:"holds"`
	// Paper is the paper's figure, nil where the paper prints none.
	Paper *float64 `json:"paper,omitempty"`

	atLeast, unreached bool
}

// WithPaper returns the check with the paper's figure, which is printed beside the measured one.
func (c Check) WithPaper(paper float64) Check {
	c.Paper = &paper
	return c
}

// Unreached returns the check marked as one that is known to miss its bound. It is printed like any other,
// but Missed ignores it.
func (c Check) Unreached() Check {
	c.unreached = true
	return c
}

// AtLeast checks that value reaches bound.
func AtLeast(what string, value, bound float64) Check {
	return Check{What: what, Value: value, Bound: bound, Holds: value >= bound, atLeast: true}
}

// AtMost checks that value stays within bound.
func AtMost(what string, value, bound float64) Check {
	return Check{What: what, Value: value, Bound: bound, Holds: value <= bound}
}

// Missed returns an error that names the checks that do not hold, without those that are marked Unreached.
// It returns nil if there are none.
func (r *Report) Missed() error {
	var missed []error
	for _, c := range r.Checks {
		if !c.Holds && !c.unreached {
			missed = append(missed, errors.New(c.String()))
		}
	}
	return errors.Join(missed...)
}

// Write prints the report as "table" or "json".
func (r *Report) Write(w io.Writer, form string) error {
	switch form {
	case "json":
		return json.NewEncoder(w).Encode(r)
	case "table":
		return r.table(w)
	}
	return fmt.Errorf("--output %s: use table or json", form)
}

func (r *Report) table(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Name)
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	var header string
	for _, row := range r.Rows {
		if h := row.line(func(c Cell) string { return c.Key }); h != header {
			header = h
			_, _ = fmt.Fprintln(tw, h)
		}
		_, _ = fmt.Fprintln(tw, row.line(func(c Cell) string { return figure(c.Value) }))
	}
	_ = tw.Flush() // into memory
	b.WriteByte('\n')
	for _, note := range r.Notes {
		b.WriteString(note + "\n")
	}
	for _, c := range r.Checks {
		b.WriteString(c.String() + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Row) line(text func(Cell) string) string {
	cells := make([]string, len(r))
	for i, c := range r {
		cells[i] = text(c)
	}
	return strings.Join(cells, "\t")
}

func figure(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.4g", f)
	}
	return fmt.Sprint(v)
}

// String returns the check as a line for people.
func (c Check) String() string {
	sign, mark := "≤", "misses"
	if c.atLeast {
		sign = "≥"
	}
	if c.Holds {
		mark = "holds "
	}
	paper := ""
	if c.Paper != nil {
		paper = fmt.Sprintf("; the paper: %.4g", *c.Paper)
	}
	return fmt.Sprintf("%s  %s: %.4g (%s %.4g%s)", mark, c.What, c.Value, sign, c.Bound, paper)
}
