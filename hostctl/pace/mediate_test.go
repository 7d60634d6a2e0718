package pace

import (
	"math/rand/v2"
	"testing"
)

func TestWhatFitsIsGranted(t *testing.T) {
	claims := []Claim{{0.3, 1, 0}, {0.5, 1, 0}}
	limits := Mediate(claims, 2)
	for i, c := range claims {
		if limits[i] < c.Cores || limits[i] > 1 {
			t.Errorf("limit of claim %d = %v cores, want %v to 1", i, limits[i], c.Cores)
		}
	}
}

func TestLowerPriorityGivesWayFirst(t *testing.T) {
	limits := Mediate([]Claim{{0.8, 1, 1}, {0.9, 1, 5}, {0.8, 1, 1}, {0.6, 1, 3}}, 2)
	if !within(limits[1], 0.9, 0.01) || !within(limits[3], 0.6, 0.01) {
		t.Errorf("limits of the higher claims = %v, %v, want 0.9, 0.6 as claimed", limits[1], limits[3])
	}
	if !within(limits[0], 0.25, 0.01) || !within(limits[2], limits[0], 1e-9) {
		t.Errorf("limits of the lower claims = %v, %v, want 0.25 each", limits[0], limits[2])
	}
}

// Whatever the claims are, the sum stays within the host's cores, no task stands still, and tasks
// of lower priority take nothing from a task.
func TestSumStaysUnderWhatTheHostHas(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 2000 {
		cores := 0.5 + 4*rng.Float64()
		claims := make([]Claim, 1+rng.IntN(8))
		for i := range claims {
			claims[i] = Claim{Cores: 2 * rng.Float64(), Most: 1, Priority: float64(rng.IntN(3))}
		}
		limits, sum := Mediate(claims, cores), 0.0
		for i, l := range limits {
			if l < Least || l > 1 {
				t.Fatalf("Mediate(%+v, %v) = %v, want limits of %v to 1", claims, cores, limits, Least)
			}
			sum += l
			for j := range claims {
				higher := claims[i].Priority > claims[j].Priority && claims[i].Cores >= claims[j].Cores
				if higher && limits[i] < limits[j]-1e-9 {
					t.Fatalf("Mediate(%+v, %v) = %v, want no less for the higher claim", claims, cores, limits)
				}
			}
		}
		if sum > max(cores, Least*float64(len(claims)))+1e-9 {
			t.Fatalf("Mediate(%+v, %v) grants %v in all, want no more than there is", claims, cores, sum)
		}
	}
}

func TestHeavyLoadPlansWarily(t *testing.T) {
	if Heavy([]Claim{{Cores: 0.5}, {Cores: 0.5}}, 2) || !Heavy([]Claim{{Cores: 1}, {Cores: 0.8}}, 2) {
		t.Error("Heavy(1 of 2 cores) = true or Heavy(1.8 of 2) = false, want false, true")
	}
	d := NewDriver(&Model{A: 0.2, B: 50e6}, 1)
	d.Limit(1)
	d.Step(20e6, 0.4, 20e6)
	if wary := d.ClaimPessimistically(20e6); !within(wary, 0.4, 1e-9) {
		t.Errorf("ClaimPessimistically() at its reference with 0.4 cores = %v, want 0.4: no task would use the rest", wary)
	}
	d.Limit(0.3)
	d.Step(10e6, 0.3, 20e6)
	if calm, wary := d.Claim(20e6), d.ClaimPessimistically(20e6); !within(wary, Robust.B*calm, 1e-9) {
		t.Errorf("short of it at the limit: claims %v cores, warily %v, want %v times that", calm, wary, Robust.B)
	}
}
