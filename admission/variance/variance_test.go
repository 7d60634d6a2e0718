package variance

import "testing"

func TestDeviationsAreFairAndTheTasksOwn(t *testing.T) {
	sum, squares, n := 0.0, 0.0, 0
	for take := 1; take < 16; take++ {
		for task := range 1000 {
			x := Deviation(take, int64(task%7), 1, task)
			sum, squares, n = sum+x, squares+x*x, n+1
			if again := Deviation(take, int64(task%7), 1, task); again < x || again > x {
				t.Fatal("the same task has another deviation")
			}
		}
	}
	if mean := sum / float64(n); mean > 0.03 || mean < -0.03 {
		t.Errorf("deviations have the mean %v", mean)
	}
	if v := squares / float64(n); v < 0.85 || v > 1.05 {
		t.Errorf("deviations have the variance %v", v)
	}
	if Deviation(0, 1, 1, 1) < 0 || Deviation(0, 1, 1, 1) > 0 {
		t.Error("the first take varies")
	}
}
