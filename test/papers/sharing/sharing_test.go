package sharing

import (
	"math"
	"testing"
	"time"
)

// What ended after the other queue had run dry had more than its share.
func TestMakespansCountWhileAllQueuesHaveJobs(t *testing.T) {
	at := func(queue string, began, ended int) Span {
		return Span{queue, time.Duration(began) * time.Second, time.Duration(ended) * time.Second}
	}
	of, whole := Sum([]Span{at("a", 0, 20), at("b", 0, 30), at("a", 20, 42), at("b", 30, 60), at("b", 60, 70)})
	if whole != 70*time.Second {
		t.Errorf("Sum() = %v for the whole run, want 70s", whole)
	}
	if a := of["a"]; a.Jobs != 2 || math.Abs(a.Mean-21) > 1e-9 || a.Deviation < 0.9 || a.Deviation > 1.5 {
		t.Errorf("Sum() of a = %+v, want two jobs with a mean of 21 and a deviation of 0.9 to 1.5", a)
	}
	if b := of["b"]; b.Jobs != 1 || math.Abs(b.Mean-30) > 1e-9 {
		t.Errorf("Sum() of b = %+v, want one job with a mean of 30, as its second ran alone at last", b)
	}
}
