package pace

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestIdentifyFindsTheModelThatMadeTheTrace(t *testing.T) {
	for _, want := range []Model{{A: 0.26, B: 101e6}, {A: 0.05, B: 47e3}, {A: 0.32, B: 1.8}, {A: -0.1, B: 5e7}} {
		T, C := sines(&plant{a: want.A, b: want.B})
		m, err := Identify(T, C)
		if err != nil || math.Abs(m.A-want.A) > 1e-6 || !within(m.B, want.B, 1e-6) || m.R2 < 0.999 {
			t.Errorf("Identify() = %+v, %v, want %+v", m, err, want)
		}
	}
}

func TestIdentifyUnderNoise(t *testing.T) {
	for seed := range uint64(50) {
		p := &plant{a: 0.2, b: 50e6, noise: 0.08, rng: random(t, seed)}
		m, err := Identify(sines(p))
		if err != nil || !within(m.Steady(1), 62.5e6, 0.1) || m.R2 < 0.85 || m.R2 > 0.9999 {
			t.Errorf("seed %d: Identify() = %+v, %v, want 62.5e6 a core within a tenth", seed, m, err)
		}
	}
}

// Two cycles in which something else had the disk do not draw the model, and R²
// is that of the samples that count.
func TestNoisyCyclesAreLeftOut(t *testing.T) {
	p := &plant{a: 0.2, b: 50e6, noise: 0.03, rng: random(t, 7)}
	T, C := sines(p)
	for _, k := range []int{16, 17, 18, 37, 38, 40} {
		T[k] *= 0.1
	}
	m, err := Identify(T, C)
	if err != nil || !within(m.Steady(1), 62.5e6, 0.06) {
		t.Errorf("Identify() = %+v, %v, want 62.5e6 a core within 6 %%", m, err)
	}
	if m.Samples > (Cycles-1)*Period || m.Samples < (Cycles-2)*Period-1 {
		t.Errorf("samples that count = %d, want %d less two noisy cycles of %d", m.Samples, Cycles*Period, Period)
	}
}

func TestMissedSamplesBreakTheTrace(t *testing.T) {
	T, C := sines(&plant{a: 0.3, b: 1e6})
	T[9], T[30] = math.NaN(), math.NaN()
	m, err := Identify(T, C)
	if err != nil || math.Abs(m.A-0.3) > 1e-6 || m.Samples > Cycles*Period-5 {
		t.Errorf("Identify() = %+v, %v, want a = 0.3 without the odd samples", m, err)
	}
}

func TestIdentifyRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	T, C := sines(&plant{a: 0.3, b: 1e6})
	flat, none, unrelated, backwards := make([]float64, len(C)), make([]float64, len(C)), make([]float64, len(C)), make([]float64, len(C))
	for k := range C {
		flat[k], unrelated[k], backwards[k] = 0.5, 1e6*rng.Float64(), 1e6*(1.2-C[max(k-1, 0)])
	}
	for _, test := range []struct {
		name string
		T, C []float64
		says string
	}{
		{"short", T[:10], C[:10], "too few"},
		{"empty", nil, nil, "too few"},
		{"unequal", T, C[:3], "as many caps"},
		{"no input", none, C, "read no input"},
		{"flat cap", T, flat, "varied too little"},
		{"unrelated", unrelated, C, "R²"},
		{"backwards", backwards, C, ""},
	} {
		m, err := Identify(test.T, test.C)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %+v, %v; want it refused with %q", test.name, m, err, test.says)
		}
	}
}

func FuzzIdentify(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		var T, C []float64
		for i := range len(b) / 2 {
			T, C = append(T, float64(b[2*i])*1e5), append(C, float64(b[2*i+1])/255)
		}
		m, err := Identify(T, C)
		if err == nil && (!m.Usable() || m.R2 < LeastR2 || m.R2 > 1) {
			t.Errorf("Identify() = %+v, want it usable or an error", m)
		}
	})
}
