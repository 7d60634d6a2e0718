package main

import (
	"bufio"
	"io"
	"os"
	"regexp"
)

func grepSearch(args []string) error {
	pattern, err := regexp.Compile(args[0])
	if err != nil {
		return err
	}
	matches, err := search(os.Stdin, pattern)
	if err != nil {
		return err
	}
	return result("matches", func(w *bufio.Writer) error { return writeCounts(w, matches) })
}

// search counts what matches the pattern, by the text that matched.
func search(r io.Reader, pattern *regexp.Regexp) (map[string]int, error) {
	matches := map[string]int{}
	err := lines(r, func(line []byte) error {
		for _, match := range pattern.FindAll(line, -1) {
			matches[string(match)]++
		}
		return nil
	})
	return matches, err
}
