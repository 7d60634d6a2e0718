package trace

import (
	"fmt"
	"strings"
)

// maxFaults is how many bad rows an Error lists. The others are only counted.
const maxFaults = 10

// Fault is one thing wrong in a file.
type Fault struct {
	Line   int    // counted from 1; 0 means the file as a whole
	Column int    // in bytes, counted from 1; 0 means the row as a whole
	Field  string // the column's header
	Text   string // what is wrong, and what to do
}

// String returns the fault's place and text.
func (f Fault) String() string {
	place := ""
	if f.Line > 0 {
		place = fmt.Sprintf("line %d", f.Line)
	}
	if f.Column > 0 {
		place += fmt.Sprintf(", column %d", f.Column)
	}
	if f.Field != "" {
		place += fmt.Sprintf(" (%s)", brief(f.Field))
	}
	if place == "" {
		return f.Text
	}
	return place + ": " + f.Text
}

// Error says why a file cannot be read.
type Error struct {
	File   string
	Count  int     // number of faults
	Faults []Fault // the first maxFaults of them
	// Skippable says that the file can be read without its bad rows.
	Skippable bool
}

// Error lists the faults.
func (e *Error) Error() string {
	remedy := ""
	if e.Skippable {
		remedy = " Correct the file, or skip bad rows with --skip-bad"
	}
	if e.Count == 1 {
		if remedy != "" {
			remedy = "." + remedy
		}
		return e.File + ": " + e.Faults[0].String() + remedy
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d bad rows.%s", e.File, e.Count, remedy)
	for _, f := range e.Faults {
		b.WriteString("\n  " + f.String())
	}
	if more := e.Count - len(e.Faults); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

// faults collects what is wrong with a file's rows.
type faults struct {
	count int
	first []Fault
}

// add counts a fault, and keeps it if it is one of the first maxFaults.
func (f *faults) add(fault *Fault) {
	if f.count++; len(f.first) < maxFaults {
		f.first = append(f.first, *fault)
	}
}

// verdict returns the faults as an error, nil if there are none or skip allows them.
func (f *faults) verdict(file string, skip bool) error {
	if f.count == 0 || skip {
		return nil
	}
	return &Error{File: file, Count: f.count, Faults: f.first, Skippable: true}
}

// fileError returns the error of a file that cannot be read at all, not even without its bad rows.
func fileError(file string, line, column int, format string, args ...any) error {
	return &Error{File: file, Count: 1, Faults: []Fault{{Line: line, Column: column, Text: fmt.Sprintf(format, args...)}}}
}

// brief makes a text from a file printable, and short enough for a line of a message.
func brief(text string) string {
	const most = 40
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
