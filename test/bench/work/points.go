package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const (
	dimensions = 8
	clusters   = 64
)

// point is one vector of numeric data.
type point [dimensions]float64

// parsePoint reads numbers with spaces between them.
func parsePoint(line []byte) (p point, err error) {
	rest := string(line)
	for i := range p {
		var field string
		field, rest, _ = strings.Cut(rest, " ")
		if p[i], err = strconv.ParseFloat(field, 64); err != nil {
			return p, fmt.Errorf("%q is no point of %d numbers", line, dimensions)
		}
	}
	return p, nil
}

// eachPoint calls f with every point of r.
func eachPoint(r io.Reader, f func(p point, line []byte) error) error {
	return lines(r, func(line []byte) error {
		p, err := parsePoint(line)
		if err != nil {
			return err
		}
		return f(p, line)
	})
}

func writePoint(w io.Writer, p point) error {
	for i, x := range p {
		end := " "
		if i == dimensions-1 {
			end = "\n"
		}
		if _, err := fmt.Fprintf(w, "%.3f%s", x, end); err != nil {
			return err
		}
	}
	return nil
}

// nearest is the centre with the least distance to p.
func nearest(p point, centres []point) int {
	best, least := 0, math.Inf(1)
	for i := range centres {
		if d := distance(p, centres[i]); d < least {
			best, least = i, d
		}
	}
	return best
}

// distance is the square of the Euclidean one.
func distance(p, q point) (d float64) {
	for i := range p {
		d += (p[i] - q[i]) * (p[i] - q[i])
	}
	return d
}
