package pin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"lull/subjects/spec"
)

// maxLine bounds one parameter, in bytes, as the specification does: it becomes
// an environment variable.
const maxLine = math.MaxInt16

// Lines returns the parameters that a file holds, one a line. Blank lines and
// those that begin with '#' are none.
func Lines(ctx context.Context, folder, path string) ([]string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	return Await(ctx, func() ([]string, error) { return readLines(path) })
}

func readLines(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	var lines []string
	read := 0
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, maxLine)
	for ; scan.Scan(); read++ {
		if param, ok := spec.Line(scan.Text()); ok {
			lines = append(lines, param)
		}
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
