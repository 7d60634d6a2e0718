package adhoc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"lull/subjects/spec"
)

// mostValue bounds a value in bytes. A task's parameter is shorter still.
const mostValue = 1 << 20

// bom is the byte order mark with which some editors begin a file.
const bom = "\ufeff"

// Values reads the values of tasks, one a line, or each up to a NUL byte. Every line is a value, also a blank one
// and one that begins with #. A byte order mark before the first line and the \r of a line end are no part of a value;
// of values that end with NUL, every byte counts.
func Values(in io.Reader, null bool) ([]string, error) {
	unit, split := "line", bufio.ScanLines
	if null {
		unit, split = "value", scanNull
	}
	all := []string{}
	from := bufio.NewReader(in)
	if mark, _ := from.Peek(len(bom)); string(mark) == bom && !null {
		_, _ = from.Discard(len(bom))
	}
	scanner := bufio.NewScanner(from)
	scanner.Buffer(nil, mostValue)
	scanner.Split(split)
	for scanner.Scan() {
		value := scanner.Text()
		switch {
		case len(all) == spec.MaxTasks:
			return nil, fmt.Errorf("there are more than %d %ss", spec.MaxTasks, unit)
		case strings.Contains(value, "\x00"):
			return nil, fmt.Errorf("line %d has a NUL byte: add -0 if values end with NUL, as those of find -print0", len(all)+1)
		}
		all = append(all, value)
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s %d is longer than 1 MB: a %s is the value of one task", unit, len(all)+1, unit)
	} else if err != nil {
		return nil, fmt.Errorf("%s %d: %w", unit, len(all)+1, err)
	}
	return all, nil
}

// scanNull splits after each NUL byte. The last value may do without.
func scanNull(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
