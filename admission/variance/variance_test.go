package variance

import "testing"

func TestDeviationsAreFairAndTheTasksOwn(t *testing.T) {
	sum, squares, n := 0.0, 0.0, 0
	for take := 1; take < 16; take++ {
		for task := range 1000 {
			x := Deviation(take, int64(task%7), 1, task)
			sum, squares, n = sum+x, squares+x*x, n+1
			if again := Deviation(take, int64(task%7), 1, task); again < x || again > x {
				t.Fatalf("Deviation(%d, %d, 1, %d) = %v, then %v, want the same", take, task%7, task, x, again)
			}
		}
	}
	if mean := sum / float64(n); mean > 0.03 || mean < -0.03 {
		t.Errorf("mean of the deviations = %v, want 0 within 0.03", mean)
	}
	if v := squares / float64(n); v < 0.85 || v > 1.05 {
		t.Errorf("variance of the deviations = %v, want 0.85 to 1.05", v)
	}
	if Deviation(0, 1, 1, 1) < 0 || Deviation(0, 1, 1, 1) > 0 {
		t.Errorf("Deviation of take 0 = %v, want 0", Deviation(0, 1, 1, 1))
	}
}
