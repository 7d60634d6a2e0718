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
				t.Fatalf("%s at %.3f: %.4g s, formula says %.4g", d.Name, r, got, want)
			}
		}
	}
}

func TestOrderIsThePapers(t *testing.T) {
	norm := func(k int) float64 { return Types[k].TCT(0.2) / Types[k].TCT(1) }
	for k := 1; k < len(Types); k++ {
		if norm(k) >= norm(k-1) {
			t.Errorf("load slows %s more than %s", Types[k].Name, Types[k-1].Name)
		}
	}
	if first, last := norm(0), norm(len(Types)-1); first < 4 || last > 2 {
		t.Errorf("at a residual of 0.2 pi takes %.2f times as long, sort %.2f", first, last)
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
		t.Errorf("mean %.3f, over-prediction in %.3f of cases by %.3f", sum/n, share, excess)
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
				t.Errorf("%s at %.1f: %.3g s, truth %.3g", models[i].Type, r, got, want)
			}
		}
	}
}

func TestMeasuredFiles(t *testing.T) {
	if _, err := Measured(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, ErrNotMeasured) {
		t.Errorf("a missing file: %v", err)
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
		t.Errorf("%+v, %v", set, err)
	}
	save(Declared()[1:])
	if _, err := Measured(path); err == nil || !strings.Contains(err.Error(), "pi") {
		t.Errorf("half a set is another experiment: %v", err)
	}
	save(map[string]int{})
	if _, err := Measured(path); err == nil {
		t.Error("an object is no list of curves")
	}
}

func TestStretchKeepsShapes(t *testing.T) {
	set := Declared()[:2]
	for i := range set[0].Points {
		set[0].Points[i].Seconds /= 25
	}
	long := Stretch(set)
	if got := Seconds(&long[0], 1); math.Abs(got-Types[0].Seconds) > 1e-9 {
		t.Errorf("on an idle core %v s, want %v", got, Types[0].Seconds)
	}
	if got, want := Seconds(&long[0], 0.3)/Seconds(&long[0], 1), Seconds(&set[0], 0.3)/Seconds(&set[0], 1); math.Abs(got-want) > 1e-9 {
		t.Errorf("slowdown %v became %v", want, got)
	}
	if set[0].Points[0].Seconds > 100 {
		t.Error("the original changed")
	}
}
