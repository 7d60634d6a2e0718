package truth

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"lull/sim"
	"lull/sim/trace"
)

// ErrNotMeasured says that there are no measured curves yet.
var ErrNotMeasured = errors.New("no measured curves: make them with `go run ./test/bench tct`")

// Measured reads the measured set, by type: all that are declared, and any
// others. Without the file the error is
// ErrNotMeasured.
func Measured(path string) ([]sim.Truth, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNotMeasured
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	set, err := trace.Curves(file, path)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(set, func(a, b sim.Truth) int { return cmp.Compare(a.Type, b.Type) })
	for _, t := range Types {
		if !slices.ContainsFunc(set, func(m sim.Truth) bool { return m.Type == t.Name }) {
			return nil, fmt.Errorf("%s: no curve of %s: measure all types anew", path, t.Name)
		}
	}
	return set, nil
}

// Stretch makes a set's tasks as long as the declared ones on an idle core. Measured tasks take a
// second or two, so that measuring them takes minutes, while MIMP's read blocks of 64 MB. Shapes
// and noise stay; a type that is not declared keeps its time.
func Stretch(set []sim.Truth) []sim.Truth {
	stretched := make([]sim.Truth, len(set))
	for i, t := range set {
		if d := slices.IndexFunc(Types, func(d Type) bool { return d.Name == t.Type }); d >= 0 {
			factor := Types[d].Seconds / Seconds(&t, 1)
			t.Points = slices.Clone(t.Points)
			for p := range t.Points {
				t.Points[p].Seconds *= factor
			}
		}
		stretched[i] = t
	}
	return stretched
}
