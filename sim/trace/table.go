package trace

import (
	"errors"
	"io"
	"strings"
)

// table is a CSV file with a header.
type table struct {
	*lines
	record
	header []string
	starts []int // of the header's fields
	faults
}

// openTable opens a file and reads its header.
func openTable(r io.Reader, file string) (*table, error) {
	l, err := openLines(r, file)
	if err != nil {
		return nil, err
	}
	line, err := l.next()
	if errors.Is(err, io.EOF) {
		return nil, fileError(file, 0, 0, "the file is empty: it needs a header line and a line for each row")
	}
	if err != nil {
		return nil, err
	}
	t := &table{lines: l}
	t.line = l.n
	if fault := t.split(string(line)); fault != nil {
		return nil, &Error{File: file, Count: 1, Faults: []Fault{*fault}}
	}
	for _, name := range t.fields {
		t.header = append(t.header, strings.ToLower(strings.TrimSpace(name)))
	}
	t.starts = append(t.starts, t.record.starts...)
	return t, t.separated()
}

// separated notices files with fields that are not separated by commas.
func (t *table) separated() error {
	for _, other := range []string{";", "\t", "|"} {
		if len(t.header) == 1 && strings.Contains(t.header[0], other) {
			return fileError(t.file, t.line, 0, "the fields are separated by %q: write commas", other)
		}
	}
	return nil
}

// column returns where a header stands, -1 if nowhere.
func (t *table) column(name string) int {
	for i, h := range t.header {
		if h == name {
			return i
		}
	}
	return -1
}

// unique returns an error for a header that occurs twice, because either could be meant.
func (t *table) unique() error {
	seen := make(map[string]bool, len(t.header))
	for i, h := range t.header {
		if seen[h] {
			return fileError(t.file, t.line, t.starts[i], "the column %q stands twice: keep one", brief(h))
		}
		seen[h] = true
	}
	return nil
}

// each calls row for all rows. It collects the faults that row returns. An error of row is about the whole
// file and ends the reading.
func (t *table) each(row func() (*Fault, error)) error {
	for {
		line, err := t.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		t.line = t.n
		fault := t.split(string(line))
		if fault == nil && len(t.fields) != len(t.header) {
			fault = &Fault{Line: t.line, Text: count(len(t.fields), "field") + ", and the header has " + count(len(t.header), "") + ": give each row as many"}
		}
		if fault == nil {
			fault, err = row()
		}
		if err != nil {
			return err
		}
		if fault != nil {
			t.add(fault)
		}
	}
}
