package jobs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// listedIn reads job ids from a file, or from stdin for "-": the first word of each line. Empty
// lines and those that begin with # have none.
func listedIn(path string, stdin io.Reader) ([]string, error) {
	switch path {
	case "":
		return nil, nil
	case "-":
		return idsOf(stdin, "stdin")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--file: %w", err)
	}
	defer func() { _ = f.Close() }()
	return idsOf(f, path)
}

func idsOf(in io.Reader, name string) ([]string, error) {
	var ids []string
	lines := bufio.NewScanner(in)
	n := 0
	for ; lines.Scan(); n++ {
		if words := strings.Fields(lines.Text()); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			ids = append(ids, words[0])
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("--file %s: line %d is longer than 64 KB: a line begins with the id of one job", name, n+1)
	} else if err != nil {
		return nil, fmt.Errorf("--file %s: %w", name, err)
	}
	return ids, nil
}
