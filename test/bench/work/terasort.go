package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

const (
	recordBytes = 100 // with the line end, as TeraGen's
	keyBytes    = 10
	partitions  = 8
	sampleEvery = 64 // records a sampled one stands for
)

func teraSort([]string) error {
	records, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if len(records)%recordBytes != 0 {
		return fmt.Errorf("%d bytes are no whole records of %d", len(records), recordBytes)
	}
	if err := partition(".", records, boundaries(records)); err != nil {
		return err
	}
	for p := range partitions {
		if err := sortPartition(".", p); err != nil {
			return err
		}
	}
	return nil
}

func record(records []byte, i int) []byte { return records[i*recordBytes : (i+1)*recordBytes] }

func byKey(a, b []byte) int { return bytes.Compare(a[:keyBytes], b[:keyBytes]) }

// boundaries are the keys between partitions: quantiles of a sample.
func boundaries(records []byte) [][]byte {
	var sample [][]byte
	for i := 0; i < len(records)/recordBytes; i += sampleEvery {
		sample = append(sample, record(records, i))
	}
	slices.SortFunc(sample, byKey)
	bounds := make([][]byte, 0, partitions-1)
	for p := 1; p < partitions && len(sample) > 0; p++ {
		bounds = append(bounds, sample[p*len(sample)/partitions])
	}
	return bounds
}

// partitionOf is the number of boundaries at or below a record.
func partitionOf(r []byte, bounds [][]byte) int {
	at, found := slices.BinarySearchFunc(bounds, r, byKey)
	for found && at < len(bounds) && byKey(bounds[at], r) == 0 {
		at++
	}
	return at
}

// partition spills each record to the file of its range.
func partition(dir string, records []byte, bounds [][]byte) error {
	var parts [partitions][]byte
	for i := range len(records) / recordBytes {
		r := record(records, i)
		p := partitionOf(r, bounds)
		parts[p] = append(parts[p], r...)
	}
	for p, part := range parts {
		err := writeFile(spillName(dir, p), func(w *bufio.Writer) error {
			_, err := w.Write(part)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func spillName(dir string, p int) string { return filepath.Join(dir, fmt.Sprintf("range-%d", p)) }

// sortPartition reads a range back, sorts it and writes it as a part of the
// result.
func sortPartition(dir string, p int) error {
	part, err := os.ReadFile(spillName(dir, p))
	if err != nil {
		return err
	}
	each := slices.Collect(slices.Chunk(part, recordBytes))
	slices.SortFunc(each, byKey)
	return result(fmt.Sprintf("part-%d", p), func(w *bufio.Writer) error {
		for _, r := range each {
			_, _ = w.Write(r) // the writer keeps the error
		}
		return nil
	})
}
