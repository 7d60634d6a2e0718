package main

import (
	"bufio"
	"fmt"
	"strconv"
)

func pi(args []string) error {
	points, err := strconv.Atoi(args[0])
	if err != nil || points < 1 {
		return fmt.Errorf("%q is no number of points", args[0])
	}
	return result("pi", func(w *bufio.Writer) error {
		_, err := fmt.Fprintf(w, "%.8f\n", estimatePi(points))
		return err
	})
}

// estimatePi counts the points of a Halton sequence that fall into the circle
// within the unit square, as Hadoop's PiEstimator does.
func estimatePi(points int) float64 {
	inside := 0
	for i := 1; i <= points; i++ {
		x, y := halton(i, 2)-0.5, halton(i, 3)-0.5
		if x*x+y*y <= 0.25 {
			inside++
		}
	}
	return 4 * float64(inside) / float64(points)
}

// halton is the i-th number of the sequence of a base: i's digits mirrored at
// the point.
func halton(i, base int) float64 {
	x, digit := 0.0, 1.0
	for ; i > 0; i /= base {
		digit /= float64(base)
		x += digit * float64(i%base)
	}
	return x
}
