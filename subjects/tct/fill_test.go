package tct

import "testing"

func TestFillLeavesEachSlotItsLeastResidual(t *testing.T) {
	for _, c := range []struct {
		idle     float64
		slots, n int
		residual float64
	}{
		{8, 8, 8, 1},
		{4, 8, 8, 0.5},
		{0.25, 8, 5, 0.05},
		{0.04, 8, 0, 0},
		{0, 8, 0, 0},
		{3, 0, 0, 0},
		{3, -1, 0, 0},
	} {
		if n, r := Fill(c.idle, c.slots); n != c.n || r != c.residual {
			t.Errorf("%v idle cores on %d slots: %d slots of %v, want %d of %v", c.idle, c.slots, n, r, c.n, c.residual)
		}
	}
}

// One more slot than Fill fills would get too little.
func TestFillIsAsManyAsMayRun(t *testing.T) {
	for step := range 400 {
		idle := float64(step) / 100
		n, _ := Fill(idle, 100)
		if n > 0 && Residual(idle, n) < MinResidual || n < 100 && Residual(idle, n+1) >= MinResidual {
			t.Errorf("Fill(%v cores, 100) = %d slots, want as many as keep a residual of %v", idle, n, MinResidual)
		}
	}
}

func TestWorkIsEquationSixWithoutFloors(t *testing.T) {
	slots, curve := slotsOf(1, 1, 1, 1, 0.5), Default(0)
	want := 3.0 * (4*60 + 120) / 25
	if got := slots.Work(3, curve); got != want {
		t.Errorf("three tasks take %v s, want %v", got, want)
	}
	if got := slots.JCT(3, curve); got != 60 {
		t.Errorf("JCT of 3 tasks on many slots = %v, want 60, one task", got)
	}
	if got := new(Slots).Work(3, curve); got != 0 {
		t.Errorf("Work(3) without slots = %v, want 0", got)
	}
}

func TestCurvesAreShared(t *testing.T) {
	c := NewCurves()
	one, again, other := c.Of(nil, 5, 0), c.Of(nil, 5, 9), c.Of(nil, 6, 0)
	if one != again || one == other || c.Len() != 2 {
		t.Errorf("Of(estimate 5) twice the same %v, of 6 another %v, curves = %d, want true, true, 2", one == again, one != other, c.Len())
	}
}
