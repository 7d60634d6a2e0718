package adhoc

import (
	"fmt"
	"slices"
	"strings"

	"lull/subjects/spec"
)

// What begins a list of values on the command line, as for GNU parallel.
const (
	product = ":::"  // every value with every value of the lists before
	linked  = ":::+" // the first value with the first of the list before, and so on
)

// Lists splits a command line where lists of values begin, and returns the values of each task: those of
// the last list vary first. rows is nil if there is no list.
func Lists(args []string) (command []string, rows [][]string, err error) {
	at := slices.IndexFunc(args, begins)
	if at < 0 {
		return args, nil, nil
	}
	if args[at] == linked {
		return nil, nil, fmt.Errorf("%s links its values to those of the list before, and there is none: begin with %s", linked, product)
	}
	command, rest := args[:at], args[at:]
	var groups [][][]string // rows of the lists that are linked to each other
	for len(rest) > 0 {
		how, values := rest[0], rest[1:]
		end := slices.IndexFunc(values, begins)
		if end < 0 {
			end = len(values)
		}
		values, rest = values[:end], values[end:]
		if how == product {
			groups = append(groups, column(values))
			continue
		}
		groups[len(groups)-1] = link(groups[len(groups)-1], values)
	}
	total := 1
	for _, group := range groups {
		if total *= len(group); total > spec.MaxTasks {
			return nil, nil, fmt.Errorf("the lists after %s make more than %d tasks", product, spec.MaxTasks)
		}
	}
	rows = [][]string{{}}
	for _, group := range groups {
		rows = times(rows, group)
	}
	return command, rows, nil
}

func begins(arg string) bool { return arg == product || arg == linked }

func column(values []string) [][]string {
	rows := make([][]string, len(values))
	for i, value := range values {
		rows[i] = []string{value}
	}
	return rows
}

// link adds a value to each row, as many as there are of both.
func link(rows [][]string, values []string) [][]string {
	rows = rows[:min(len(rows), len(values))]
	for i := range rows {
		rows[i] = append(rows[i], values[i])
	}
	return rows
}

// times joins every row with every one of a group.
func times(rows, group [][]string) [][]string {
	all := make([][]string, 0, len(rows)*len(group))
	for _, row := range rows {
		for _, more := range group {
			all = append(all, slices.Concat(row, more))
		}
	}
	return all
}

// SetRows gives the line the values of its tasks, from one list or several.
func (l *Line) SetRows(rows [][]string) {
	if rows == nil {
		return
	}
	l.Each = make([]string, len(rows))
	for i, row := range rows {
		l.Each[i] = strings.Join(row, " ")
	}
	if len(rows) > 0 && len(rows[0]) > 1 {
		l.Parts = rows
	}
}
