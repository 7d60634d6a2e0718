package capacity

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// within allows for what sums of floats err by: absolutely and relatively.
func within(got, want float64) bool { return math.Abs(got-want) <= 1e-9+1e-7*math.Abs(want) }

func TestDivide(t *testing.T) {
	for name, c := range map[string]struct {
		total  float64
		claims []Claim
		want   []float64
	}{
		"in proportion to weights":             {1, []Claim{{2, 0, 1}, {1, 0, 1}}, []float64{2. / 3, 1. / 3}},
		"all get what they can use":            {1, []Claim{{2, 0, 0.3}, {1, 0, 0.6}}, []float64{0.3, 0.6}},
		"what one cannot use, the others get":  {1, []Claim{{1, 0, 0.1}, {1, 0, 1}, {2, 0, 1}}, []float64{0.1, 0.3, 0.6}},
		"a need comes first":                   {1, []Claim{{1, 0.8, 1}, {1, 0, 1}}, []float64{0.8, 0.2}},
		"a need below one's share changes nil": {1, []Claim{{1, 0.2, 1}, {1, 0, 1}}, []float64{0.5, 0.5}},
		"needs that do not fit are cut alike":  {1, []Claim{{1, 1.5, 2}, {9, 0.5, 2}, {1, 0, 1}}, []float64{0.75, 0.25, 0}},
		"no claim":                             {1, nil, nil},
	} {
		for i, got := range Divide(c.total, c.claims) {
			if !within(got, c.want[i]) {
				t.Errorf("%s: part %d is %v, want %v", name, i, got, c.want[i])
			}
		}
	}
}

func drawClaims(t *rapid.T) []Claim {
	claims := make([]Claim, rapid.IntRange(1, 8).Draw(t, "claims"))
	for i := range claims {
		least := max(rapid.Float64Range(-1, 0.5).Draw(t, "least"), 0)
		claims[i] = Claim{
			Weight: rapid.Float64Range(1e-3, 100).Draw(t, "weight"),
			Least:  least, Most: least + rapid.Float64Range(0, 1).Draw(t, "more"),
		}
	}
	return claims
}

// The obvious way to find the level: by halves.
func TestDivideIsTheLevelThatBisectionFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		claims, total := drawClaims(t), rapid.Float64Range(0.01, 4).Draw(t, "total")
		parts := Divide(total, claims)
		all, least, most := 0.0, 0.0, 0.0
		for i, c := range claims {
			all, least, most = all+parts[i], least+c.Least, most+c.Most
			if parts[i] > c.Most+1e-9 {
				t.Fatalf("part %d = %v, want at most that of %+v", i, parts[i], c)
			}
		}
		if !within(all, min(total, most)) {
			t.Fatalf("sum of the parts = %v, want %v of %v", all, min(total, most), total)
		}
		if least > total || most < total {
			return
		}
		low, high := 0.0, 1e6
		for range 200 {
			if middle := (low + high) / 2; sum(claims, middle) < total {
				low = middle
			} else {
				high = middle
			}
		}
		for i := range claims {
			if want := claims[i].at(high); !within(parts[i], want) {
				t.Fatalf("part %d is %v, by bisection %v", i, parts[i], want)
			}
		}
	})
}
