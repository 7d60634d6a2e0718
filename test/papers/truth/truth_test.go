package truth

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/subjects/tct"
)

func TestInterpolationFollowsTheFormula(t *testing.T) {
	set := Declared()
	for i, d := range Types {
		for r := 0.04; r <= 1; r += 0.003 {
			got, want := Seconds(&set[i], r), d.TCT(r)
			if r < 0.05 { // outside, work is conserved
				want = d.TCT(0.05) * 0.05 / r
			}
			if math.Abs(got/want-1) > 0.01 {
				t.Fatalf("Seconds(%s at %.3f) = %.4g s, want %.4g, as the formula says", d.Name, r, got, want)
			}
		}
	}
}

func TestOrderIsThePapers(t *testing.T) {
	norm := func(k int) float64 { return Types[k].TCT(0.2) / Types[k].TCT(1) }
	for k := 1; k < len(Types); k++ {
		if norm(k) >= norm(k-1) {
			t.Errorf("slowdown of %s = %.3f, want less than that of %s, %.3f", Types[k].Name, norm(k), Types[k-1].Name, norm(k-1))
		}
	}
	if first, last := norm(0), norm(len(Types)-1); first < 4 || last > 2 {
		t.Errorf("slowdown at a residual of 0.2 = %.2f for %s, %.2f for %s, want at least 4 and at most 2", first, Types[0].Name, last, Types[len(Types)-1].Name)
	}
}

func TestNoiseOverPredictsLikeThePaper(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	const n = 200_000
	over, by, sum := 0, 0.0, 0.0
	for range n {
		f := Factor(Noise, rng)
		sum += f
		if f < 1 {
			over++
			by += 1/f - 1
		}
	}
	share, excess := float64(over)/n, by/float64(over)
	if math.Abs(sum/n-1) > 0.005 || math.Abs(share-0.57) > 0.02 || math.Abs(excess-0.35) > 0.02 {
		t.Errorf("Factor(Noise) = mean %.3f, below 1 in %.3f of cases by %.3f, want 1, 0.57 and 0.35", sum/n, share, excess)
	}
}

func TestTrainingLearnsTheShapes(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	set := Declared()
	models, err := Train(set, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range models {
		curve := tct.Of(&models[i])
		for _, r := range []float64{0.2, 0.5, 0.9} {
			got, want := curve.Seconds(r), Seconds(&set[i], r)
			if math.Abs(got/want-1) > 0.3 {
				t.Errorf("Train(%s) at %.1f = %.3g s, want %.3g within 30 %%", models[i].Type, r, got, want)
			}
		}
	}
}

func TestMeasuredFiles(t *testing.T) {
	if _, err := Measured(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, ErrNotMeasured) {
		t.Errorf("Measured(a missing file) = %v, want ErrNotMeasured", err)
	}
	path := filepath.Join(t.TempDir(), "m.json")
	save := func(set any) {
		body, err := json.Marshal(set)
		if err == nil {
			err = os.WriteFile(path, body, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	save(Declared())
	if set, err := Measured(path); err != nil || len(set) != len(Types) || set[0].Type != "grep-search" {
		t.Errorf("Measured(all types) = %+v, %v, want %d curves, grep-search first", set, err, len(Types))
	}
	save(Declared()[1:])
	if _, err := Measured(path); err == nil || !strings.Contains(err.Error(), "pi") {
		t.Errorf("Measured(all types but pi) = %v, want an error that names pi", err)
	}
	save(map[string]int{})
	if _, err := Measured(path); err == nil {
		t.Error("Measured(an object) = nil error, want an error")
	}
}

func TestStretchKeepsShapes(t *testing.T) {
	set := Declared()[:2]
	for i := range set[0].Points {
		set[0].Points[i].Seconds /= 25
	}
	long := Stretch(set)
	if got := Seconds(&long[0], 1); math.Abs(got-Types[0].Seconds) > 1e-9 {
		t.Errorf("Stretch() on an idle core = %v s, want %v", got, Types[0].Seconds)
	}
	if got, want := Seconds(&long[0], 0.3)/Seconds(&long[0], 1), Seconds(&set[0], 0.3)/Seconds(&set[0], 1); math.Abs(got-want) > 1e-9 {
		t.Errorf("slowdown after Stretch() = %v, want %v, as before", got, want)
	}
	if set[0].Points[0].Seconds > 100 {
		t.Errorf("first point of the original after Stretch() = %v s, want at most 100", set[0].Points[0].Seconds)
	}
}
