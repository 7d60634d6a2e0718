package main

import (
	"bufio"
	"bytes"
	"cmp"
	"os"
	"strconv"
)

func sortLines([]string) error {
	return result("sorted", func(w *bufio.Writer) error {
		return sortExternally(".", os.Stdin, w, bytes.Compare, runBytes)
	})
}

func grepSort([]string) error {
	return result("sorted", func(w *bufio.Writer) error {
		return sortExternally(".", os.Stdin, w, byFrequency, runBytes)
	})
}

// byFrequency orders "count TAB match" lines: the highest count first, equal
// ones by the match.
func byFrequency(a, b []byte) int {
	n, first := counted(a)
	m, second := counted(b)
	return cmp.Or(cmp.Compare(m, n), bytes.Compare(first, second))
}

// counted takes a line apart. What has no count counts 0.
func counted(line []byte) (count int, match []byte) {
	number, match, ok := bytes.Cut(line, []byte{'\t'})
	if !ok {
		return 0, line
	}
	count, err := strconv.Atoi(string(number))
	if err != nil {
		return 0, line
	}
	return count, match
}
