package pin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"lull/subjects/spec"
)

// maxLine bounds one parameter, in bytes, as the specification does: it becomes
// an environment variable.
const maxLine = math.MaxInt16

// maxLines bounds the parameters of a stage, in bytes: they are kept in memory.
const maxLines = 1 << 30

// Lines returns the parameters that a file holds, one a line: see spec.Line. A byte order mark before the first
// is no part of it. A file of another kind than a regular one is refused, because it might never end.
func Lines(ctx context.Context, folder, path string) ([]string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	return Await(ctx, func() ([]string, error) { return readLines(path) })
}

func readLines(path string) ([]string, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	var lines []string
	read := 0
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, maxLine)
	for bytes := 0; scan.Scan(); read++ {
		param := scan.Text() // without the end of the line
		if read == 0 {
			param = strings.TrimPrefix(param, spec.BOM)
		}
		if bytes += len(param); bytes > maxLines || read >= spec.MaxTasks {
			return nil, fmt.Errorf("%s has more than %d lines, or 1 GiB: each line makes a task", path, spec.MaxTasks)
		}
		lines = append(lines, spec.Line(param))
	}
	if err := scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s, line %d: a line is a task's parameter, at most %d bytes", path, read+1, maxLine)
	} else if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s has no line to make a task of: write one parameter a line", path)
	}
	return lines, nil
}
