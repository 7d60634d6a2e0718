package turns

import (
	"math"
	"slices"
	"testing"
)

func TestInterleave(t *testing.T) {
	lists := [][]string{{"a1", "a2"}, nil, {"b1"}, {"c1", "c2", "c3"}}
	for task, want := range map[uint32][]string{
		0: {"a1", "b1", "c1", "a2", "c2", "c3"},
		1: {"c1", "a1", "b1", "c2", "a2", "c3"},
		5: {"b1", "c1", "a1", "c2", "a2", "c3"},
	} {
		if got := Interleave(lists, task); !slices.Equal(got, want) {
			t.Errorf("task %d: %v, want %v", task, got, want)
		}
	}
	if got := Interleave([][]int{nil, {}}, 3); got != nil {
		t.Errorf("Interleave(empty lists) = %v, want nil", got)
	}
}

// TestTasksBeginApart: each list is the first one of as many tasks. Of tasks whose hosts are in the order of the lists, as many begin
// with a list of the next quarter as with others, or nearly: steps through few lists are coarse.
func TestTasksBeginApart(t *testing.T) {
	for lists := 1; lists <= 200; lists++ {
		begins, near := make([]int, lists), 0
		for task := range lists {
			at := FirstList(uint32(task), lists)
			begins[at]++
			if ahead := (at - task + lists) % lists; ahead < lists/4 {
				near++
			}
		}
		if slices.Max(begins) != 1 {
			t.Fatalf("%d lists: tasks that begin with each = %v, want at most 1", lists, begins)
		}
		if share := float64(near) / float64(lists); lists >= 16 && math.Abs(share-0.25) > 0.16 {
			t.Errorf("%d lists: share of tasks that begin in the quarter behind their place = %.2f, want 0.25 within 0.16", lists, share)
		}
	}
}
