package predict_test

import (
	"fmt"

	"lull/placer/predict"
)

// A shuffle between racks whose uplinks differ: five hosts of one rack end before the same number on two.
func Example() {
	app, snapshot := mapReduce(20, 10, 64*mb), pool(5, 25*mb, 100*mb)
	p, err := predict.New(app, snapshot)
	if err != nil {
		panic(err)
	}
	for _, candidate := range [][]int{{5, 6, 7, 8, 9}, {0, 1, 7, 8, 9}} {
		r := p.Predict(candidate)
		fmt.Printf("%v: %.1f s, %.0f %% of it moving\n", candidate, r.Seconds, 100*r.Moving())
	}
	// Output:
	// [5 6 7 8 9]: 27.0 s, 8 % of it moving
	// [0 1 7 8 9]: 37.3 s, 33 % of it moving
}
