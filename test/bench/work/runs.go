package main

import (
	"bufio"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// runBytes of lines are sorted in memory at a time: a split makes several runs,
// as one larger than the memory of a task would.
const runBytes = 4 << 20

// order compares two lines.
type order func(a, b []byte) int

// sortExternally writes the lines of r to w in order, by way of sorted runs
// of about so many bytes that are synced to dir, and merged.
func sortExternally(dir string, r io.Reader, w io.Writer, by order, most int) error {
	runs, err := spill(dir, r, by, most)
	if err != nil {
		return err
	}
	return merge(runs, w, by)
}

// spill writes sorted runs and returns their names.
func spill(dir string, r io.Reader, by order, most int) (names []string, err error) {
	var run [][]byte
	held := 0
	flush := func() error {
		name := filepath.Join(dir, fmt.Sprintf("run-%d", len(names)))
		names = append(names, name)
		err := writeRun(name, run, by)
		run, held = run[:0], 0
		return err
	}
	err = lines(r, func(line []byte) error {
		run, held = append(run, slices.Clone(line)), held+len(line)
		if held < most {
			return nil
		}
		return flush()
	})
	if err == nil && held+len(run) > 0 {
		err = flush()
	}
	return names, err
}

func writeRun(name string, run [][]byte, by order) error {
	slices.SortFunc(run, by)
	return writeFile(name, func(w *bufio.Writer) error {
		for _, line := range run {
			_, _ = w.Write(line) // the writer keeps the error
			_ = w.WriteByte('\n')
		}
		return nil
	})
}

// merge writes the lines of sorted files in order.
func merge(names []string, w io.Writer, by order) (err error) {
	h := &merging{by: by}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // it was only read
		if err := h.add(f); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(w, bufferSize)
	for heap.Init(h); len(h.runs) > 0; {
		_, _ = out.Write(h.runs[0].Bytes()) // Flush returns the error
		_ = out.WriteByte('\n')
		if err := h.next(); err != nil {
			return err
		}
	}
	return errors.Join(out.Flush(), err)
}
