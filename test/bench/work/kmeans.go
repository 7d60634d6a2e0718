package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func kmeansIterate(args []string) error {
	centres, err := readCentres(args[0])
	if err != nil {
		return err
	}
	next, err := iterate(os.Stdin, centres)
	if err != nil {
		return err
	}
	return result("centres", func(w *bufio.Writer) error { return writePoints(w, next) })
}

// iterate is one step of Lloyd's algorithm: each centre moves to the mean of
// the points nearest to it. One that has none stays.
func iterate(r io.Reader, centres []point) ([]point, error) {
	sums, counts := make([]point, len(centres)), make([]float64, len(centres))
	err := eachPoint(r, func(p point, _ []byte) error {
		at := nearest(p, centres)
		counts[at]++
		for i, x := range p {
			sums[at][i] += x
		}
		return nil
	})
	for at := range sums {
		if counts[at] == 0 {
			sums[at], counts[at] = centres[at], 1
		}
		for i := range sums[at] {
			sums[at][i] /= counts[at]
		}
	}
	return sums, err
}

func kmeansClassify(args []string) error {
	centres, err := readCentres(args[0])
	if err != nil {
		return err
	}
	return result("classes", func(w *bufio.Writer) error { return classify(os.Stdin, w, centres) })
}

// classify writes each point with the class of its nearest centre before it.
func classify(r io.Reader, w io.Writer, centres []point) error {
	return eachPoint(r, func(p point, line []byte) error {
		_, err := fmt.Fprintf(w, "%d\t%s\n", nearest(p, centres), line)
		return err
	})
}

func readCentres(name string) (centres []point, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	err = eachPoint(f, func(p point, _ []byte) error {
		centres = append(centres, p)
		return nil
	})
	if err == nil && len(centres) == 0 {
		err = fmt.Errorf("%s holds no centres", name)
	}
	return centres, err
}

func writePoints(w io.Writer, points []point) error {
	for _, p := range points {
		if err := writePoint(w, p); err != nil {
			return err
		}
	}
	return nil
}
