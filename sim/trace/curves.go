package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"lull/sim"
)

// maxCurves bounds a file of curves, in bytes.
const maxCurves = 16 << 20

// Curves reads measured curves: a JSON array of sim.Truth.
func Curves(r io.Reader, file string) ([]sim.Truth, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxCurves+1))
	if err != nil || len(text) > maxCurves {
		return nil, fileError(file, 0, 0, "it cannot be read, or is larger than %d MB", maxCurves>>20)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var all []sim.Truth
	if err := d.Decode(&all); err != nil {
		line := 1 + bytes.Count(text[:min(int(d.InputOffset()), len(text))], []byte("\n"))
		return nil, fileError(file, line, 0, `%v: write [{"type": "pi", "points": [{"residual": 1, "seconds": 20}]}]`, err)
	}
	for i := range all {
		if what := wrongCurve(&all[i]); what != "" {
			return nil, fileError(file, 0, 0, "curve %d (%s): %s", i+1, brief(all[i].Type), what)
		}
	}
	return all, nil
}

// wrongCurve says what is wrong with a curve, "" if nothing.
func wrongCurve(t *sim.Truth) string {
	if t.Type == "" || len(t.Points) == 0 {
		return "it needs a type and at least one point"
	}
	for i, p := range t.Points {
		switch {
		case !(p.Residual > 0 && p.Residual <= 1) || i > 0 && p.Residual <= t.Points[i-1].Residual:
			return fmt.Sprintf("residuals must rise, within (0, 1]: %v does not", p.Residual)
		case !(p.Seconds > 0 && p.Seconds <= maxTaskSeconds):
			return fmt.Sprintf("seconds must lie between 0 and %d: %v does not", maxTaskSeconds, p.Seconds)
		}
	}
	for _, v := range []float64{t.Noise, t.Size, t.Read} {
		if v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
			return "noise, size and read must not be negative"
		}
	}
	if t.Noise > 2 {
		return "noise is the standard deviation of a logarithm: give at most 2"
	}
	return ""
}
