package overhead

import (
	"fmt"
	"math"
	"testing"
)

func TestTheMedianOfTheLatestTasks(t *testing.T) {
	var tasks Tasks
	if got := tasks.Of("a"); got != 0 {
		t.Errorf("Of(an unknown type) = %v, want 0", got)
	}
	for i := range 100 {
		tasks.Add("a", float64(i%3)+1)
		tasks.Add("a", math.NaN())
		tasks.Add("a", -1)
	}
	for range 3 {
		tasks.Add("b", 50) // too few to say anything
	}
	for model, want := range map[string]float64{"a": 2, "b": 2, "unknown": 2} {
		if got := tasks.Of(model); got != want {
			t.Errorf("of %s: %v, want %v", model, got, want)
		}
	}
	for range kept {
		tasks.Add("a", 9)
	}
	if got := tasks.Of("a"); got != 9 {
		t.Errorf("Of(a) after as many others as are kept = %v, want 9", got)
	}
}

func TestModelsAreBounded(t *testing.T) {
	var tasks, again Tasks
	for i := range 3 * mostModels {
		for range enough {
			tasks.Add(fmt.Sprint(i), float64(i))
			tasks.Add("always", 7)
		}
	}
	if len(tasks.models) != mostModels || len(tasks.of) != mostModels || tasks.Of("always") != 7 {
		t.Errorf("models kept = %d, Of(always) = %v, want %d, 7", len(tasks.models), tasks.Of("always"), mostModels)
	}
	if err := again.Load(tasks.Save()); err != nil || again.Of("always") != 7 || again.Of("2999") != 2999 || again.Of("0") != tasks.Of("0") {
		t.Errorf("after Restore: Of(always) = %v, %v, want 7", again.Of("always"), err)
	}
	for _, bad := range [][]*Lately{{nil}, {{Seconds: []float64{math.Inf(1)}}}, {{}, {Model: "a"}, {Model: "a"}}, {{Seconds: make([]float64, kept+1)}}} {
		if err := again.Load(bad); err == nil {
			t.Errorf("Load(%+v) = nil, want an error", bad)
		}
	}
}
