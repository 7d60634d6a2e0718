package main

import (
	"bufio"
	"os"
	"strings"
)

// join is a hash join: the lines of a file, one word each, are the small side,
// the words of standard input the large one.
func join(args []string) error {
	keys, err := readKeys(args[0])
	if err != nil {
		return err
	}
	word := make([]byte, 0, 64)
	err = lines(os.Stdin, func(line []byte) error {
		for _, c := range append(line, ' ') {
			if c = lower(c); 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
				word = append(word, c)
				continue
			}
			if row := keys[string(word)]; row != nil {
				*row++
			}
			word = word[:0]
		}
		return nil
	})
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for key, row := range keys {
		counts[key] = *row
	}
	return result("joined", func(w *bufio.Writer) error { return writeCounts(w, counts) })
}

// readKeys builds the table: a count for each key, in lower case as the words are.
func readKeys(name string) (map[string]*int, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	keys := map[string]*int{}
	err = lines(f, func(line []byte) error {
		keys[strings.ToLower(string(line))] = new(int)
		return nil
	})
	return keys, err
}
