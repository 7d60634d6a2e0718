package truth

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"lull/sim"
)

// ErrNotMeasured says that there are no measured curves yet.
var ErrNotMeasured = errors.New("no measured curves: print them with `go run ./test/bench tct`")

// Measured reads the measured set, a JSON array of sim.Truth, sorted by type.
// Without the file the error is ErrNotMeasured.
func Measured(path string) ([]sim.Truth, error) {
	body, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNotMeasured
	}
	if err != nil {
		return nil, err
	}
	var set []sim.Truth
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, fmt.Errorf("%s: not an array of curves: %w", path, err)
	}
	for i := range set {
		if err := check(&set[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	slices.SortFunc(set, func(a, b sim.Truth) int { return slices.Compare([]byte(a.Type), []byte(b.Type)) })
	return set, nil
}

func check(t *sim.Truth) error {
	if t.Type == "" || len(t.Points) == 0 {
		return fmt.Errorf("curve %q needs a type and points", t.Type)
	}
	for i, p := range t.Points {
		if !(p.Residual > 0 && p.Residual <= 1 && p.Seconds > 0) {
			return fmt.Errorf("curve %s: point %d: residual must be in (0, 1], seconds above 0", t.Type, i)
		}
		if i > 0 && p.Residual <= t.Points[i-1].Residual {
			return fmt.Errorf("curve %s: point %d: residuals must rise", t.Type, i)
		}
	}
	return nil
}

// Stretch makes a set's tasks as long as the declared ones on an idle core:
// measured tasks take a second or two, so that measuring them takes minutes,
// while MIMP's read blocks of 64 MB. Shapes and noise stay; a type that is not
// declared keeps its time.
func Stretch(set []sim.Truth) []sim.Truth {
	stretched := make([]sim.Truth, len(set))
	for i, t := range set {
		k := slices.IndexFunc(Types, func(d Type) bool { return d.Name == t.Type })
		if k >= 0 {
			factor := Types[k].Seconds / Seconds(&t, 1)
			t.Points = slices.Clone(t.Points)
			for p := range t.Points {
				t.Points[p].Seconds *= factor
			}
		}
		stretched[i] = t
	}
	return stretched
}
