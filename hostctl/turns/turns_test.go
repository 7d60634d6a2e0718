package turns

import (
	"slices"
	"testing"
)

func TestInterleave(t *testing.T) {
	lists := [][]string{{"a1", "a2"}, nil, {"b1"}, {"c1", "c2", "c3"}}
	for task, want := range map[uint32][]string{
		0: {"a1", "b1", "c1", "a2", "c2", "c3"},
		1: {"b1", "c1", "a1", "c2", "a2", "c3"},
		5: {"c1", "a1", "b1", "c2", "a2", "c3"},
	} {
		if got := Interleave(lists, task); !slices.Equal(got, want) {
			t.Errorf("task %d: %v, want %v", task, got, want)
		}
	}
	if got := Interleave([][]int{nil, {}}, 3); got != nil {
		t.Errorf("nothing: %v", got)
	}
}
