package main

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
)

const bufferSize = 256 << 10

// longest bounds a line: the tests of a standard library have some of megabytes.
const longest = 64 << 20

// result writes a file of the task's output and syncs it, so that a task that
// is done has its output on disk.
func result(name string, write func(w *bufio.Writer) error) error {
	return writeFile(filepath.Join(cmp.Or(os.Getenv("LULL_OUT"), "."), name), write)
}

// writeFile writes a file through a buffer and syncs it.
func writeFile(name string, write func(w *bufio.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, bufferSize)
	if err := errors.Join(write(w), w.Flush()); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(f.Sync(), f.Close())
}

// lines calls f with each line, without its end. The bytes are f's until it
// returns.
func lines(r io.Reader, f func(line []byte) error) error {
	s := bufio.NewScanner(bufio.NewReaderSize(r, bufferSize))
	s.Buffer(nil, longest)
	for s.Scan() {
		if err := f(s.Bytes()); err != nil {
			return err
		}
	}
	return s.Err()
}
