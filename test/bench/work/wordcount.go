package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

func wordCount([]string) error {
	counts, err := countWords(os.Stdin)
	if err != nil {
		return err
	}
	return result("counts", func(w *bufio.Writer) error { return writeCounts(w, counts) })
}

// countWords counts the runs of ASCII letters and digits, in lower case.
func countWords(r io.Reader) (map[string]int, error) {
	counts, word := map[string]int{}, make([]byte, 0, 64)
	err := lines(r, func(line []byte) error {
		for _, c := range append(line, ' ') {
			if c = lower(c); 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
				word = append(word, c)
			} else if len(word) > 0 {
				counts[string(word)]++
				word = word[:0]
			}
		}
		return nil
	})
	return counts, err
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// writeCounts writes "count TAB word" a line, by word.
func writeCounts(w io.Writer, counts map[string]int) error {
	for _, word := range slices.Sorted(maps.Keys(counts)) {
		if _, err := fmt.Fprintf(w, "%d\t%s\n", counts[word], word); err != nil {
			return err
		}
	}
	return nil
}
