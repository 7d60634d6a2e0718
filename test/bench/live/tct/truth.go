package tct

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"lull/sim"
)

// grid are the residuals of the measured curves' points: dense where the
// curves bend. Between points the simulator takes the time's logarithm as
// linear.
var grid = []float64{0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

// truth is a measured curve as the simulator reads it. What a machine reads
// and how long it takes differs in the fourth digit from run to run: no more
// are kept.
func (l *learnt) truth() sim.Truth {
	t := sim.Truth{Type: l.name, Noise: digits(l.noise), Size: float64(l.size()), Read: digits(l.read)}
	for _, r := range grid {
		t.Points = append(t.Points, sim.Point{Residual: r, Seconds: digits(l.curve.Seconds(r))})
	}
	return t
}

// digits rounds to four significant ones.
func digits(x float64) float64 {
	if x == 0 {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}

// writeTruths writes the curves as a JSON array, a type a line. A type without
// a model makes it an error: half a set would be a different experiment.
func writeTruths(name string, curves []learnt) error {
	text := []byte("[\n")
	for i := range curves {
		if curves[i].curve == nil {
			return fmt.Errorf("%s has too few samples for a model: measure longer, or on a quieter machine", curves[i].name)
		}
		line, err := json.Marshal(curves[i].truth())
		if err != nil {
			return err
		}
		text = append(append(text, ' '), line...)
		if i < len(curves)-1 {
			text = append(text, ',')
		}
		text = append(text, '\n')
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, append(text, "]\n"...), 0o644)
}
