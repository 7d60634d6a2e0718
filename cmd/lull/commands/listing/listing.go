// Package listing prints lists: aligned columns for people, one JSON array for
// machines.
package listing

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"lull/cmd/lull/plain"
	"lull/cmd/lull/terminal"
	"lull/subjects/humane"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
)

// Format is the value of --output.
type Format string

// Values of Format.
const (
	Table Format = "table"
	JSON  Format = "json"
)

// Flag adds --output to a command.
func (f *Format) Flag(cmd *cobra.Command) {
	*f = Table
	cmd.Flags().VarP(f, "output", "o", "table or json")
	_ = cmd.RegisterFlagCompletionFunc("output",
		cobra.FixedCompletions([]string{string(Table), string(JSON)}, cobra.ShellCompDirectiveNoFileComp))
}

// String, Set and Type make a Format a flag's value.
func (f *Format) String() string { return string(*f) }

// Type names the values.
func (f *Format) Type() string { return "format" }

// Set returns an error for an unknown format, before the command does anything else.
func (f *Format) Set(s string) error {
	switch Format(s) {
	case Table, JSON:
		*f = Format(s)
		return nil
	}
	return fmt.Errorf("%q is no format: use table or json", s)
}

// Print writes rows as a JSON array, or as a table with the cells of each row. It writes the text empty in
// place of an empty table.
func Print[T any](w io.Writer, format Format, rows []T, header []string, cells func(T) []string, empty string) error {
	if format == JSON {
		return Object(w, append([]T{}, rows...)) // never null
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(w, empty)
		return err
	}
	table := [][]string{header}
	for _, row := range rows {
		line := cells(row)
		for i := range line {
			line[i] = plain.Line(line[i])
		}
		table = append(table, line)
	}
	_, err := io.WriteString(w, fit(align(table), terminal.Columns(w)))
	return err
}

// Object writes one value as indented JSON.
func Object(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

var head = lipgloss.NewStyle().Bold(true)

// align pads the columns of a table, the header in bold, two spaces apart.
func align(table [][]string) string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	var b strings.Builder
	for n, row := range table {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-lipgloss.Width(cell)+2))
		}
		text := strings.TrimRight(line.String(), " ")
		if n == 0 {
			text = head.Render(text)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

// Stamp is a time in JSON: RFC 3339 in UTC, "" for none.
func Stamp(nanoseconds int64) string {
	if nanoseconds == 0 {
		return ""
	}
	return humane.Unix(nanoseconds).UTC().Format(time.RFC3339Nano)
}
