package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
)

// compute uses the CPU and nothing else, as an estimate of π does: two sums of
// a Leibniz series.
func compute() error {
	sum, sign := 0.0, 1.0
	for i := range 200_000 {
		sum += sign / float64(2*i+1)
		sign = -sign
	}
	if sum < 0.7 {
		return errors.New("π/4 is larger")
	}
	return nil
}

// walk jumps through more memory than the caches near a core hold, a
// dependent load at a time.
func walk() func() error {
	const words = 64 << 20 / 8
	table, at := make([]uint64, words), uint64(1)
	for i := range table {
		table[i] = uint64(i)*2862933555777941757 + 3037000493
	}
	return func() error {
		for range 20_000 {
			at = table[at%words] ^ at>>7
			table[at%words] = at
		}
		return nil
	}
}

// wordCount counts the words of this program's own bytes, read anew each time: it uses the CPU, the
// allocator and the page cache, as word count does.
func wordCount() (func() error, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	return func() error { return countSome(f, counts) }, nil
}

// countSome counts the words of the next 256 KB of a file, over and over.
func countSome(f *os.File, counts map[string]int) error {
	page := make([]byte, 256<<10)
	n, err := io.ReadFull(f, page)
	if err != nil {
		clear(counts)
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	s := bufio.NewScanner(bytes.NewReader(page[:n]))
	s.Buffer(nil, len(page)+1)
	s.Split(bufio.ScanWords)
	for s.Scan() {
		counts[s.Text()]++
	}
	return s.Err()
}

// spawn starts a program that does nothing, and waits for its end.
func spawn() error { return exec.Command("/bin/true").Run() }
