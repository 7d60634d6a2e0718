package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
)

// rangeMap deals records to as many ranges of keys as the next stage has tasks. Keys are of printable
// letters, drawn evenly.
func rangeMap([]string) error {
	n, err := strconv.Atoi(os.Getenv("LULL_PARTITIONS"))
	if err != nil || n < 1 {
		return fmt.Errorf("LULL_PARTITIONS=%q: a stage that reads this one by partition says how many there are", os.Getenv("LULL_PARTITIONS"))
	}
	records, err := readRecords()
	if err != nil {
		return err
	}
	parts := make([][]byte, n)
	for r := range slices.Chunk(records, recordBytes) {
		p := rangeOf(r, n)
		parts[p] = append(parts[p], r...)
	}
	for p, part := range parts {
		err := os.WriteFile(partName(p), part, 0o644)
		if err != nil {
			return err
		}
	}
	return nil
}

// rangeOf is the range that a record's first two letters fall into.
func rangeOf(r []byte, n int) int {
	const letters = 94
	key := (int(r[0])-'!')*letters + int(r[1]) - '!'
	return min(max(key*n/(letters*letters), 0), n-1)
}

// rangeSort sorts the records of a range.
func rangeSort([]string) error {
	records, err := readRecords()
	if err != nil {
		return err
	}
	each := slices.Collect(slices.Chunk(records, recordBytes))
	slices.SortFunc(each, byKey)
	f, err := os.Create(partName(0))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, bufferSize)
	for _, r := range each {
		_, _ = w.Write(r) // the writer keeps the error
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func partName(p int) string { return fmt.Sprintf("%s/part-%d", os.Getenv("LULL_OUT"), p) }

func readRecords() ([]byte, error) {
	records, err := io.ReadAll(os.Stdin)
	if err == nil && len(records)%recordBytes != 0 {
		err = fmt.Errorf("%d bytes are no whole records of %d", len(records), recordBytes)
	}
	return records, err
}
