package ledger

import (
	"slices"
	"testing"

	"lull/subjects"
)

// Evicted tasks are given away again in the order of their first assignment, before those that were
// never tried. The order of their evictions does not matter.
func TestEvictedTasksKeepTheirPlaces(t *testing.T) {
	for _, order := range [][]uint32{{2, 0, 1}, {0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		st := newStage(5, 0)
		for i := range uint32(3) {
			st.holdTask(i, uint64(i+1), 0)
		}
		for _, i := range order {
			st.requeue(i, 0)
			st.requeueInOrder(i)
		}
		var got []uint32
		var c Cursor
		for i, ok := st.Next(1, &c); ok; i, ok = st.Next(1, &c) {
			got = append(got, i)
		}
		if !slices.Equal(got, []uint32{0, 1, 2, 3, 4}) {
			t.Errorf("evicted in the order %v: places = %v, want 0 to 4", order, got)
		}
	}
}

// What evictions cost is summed up for the job, less what checkpoints kept, and is in snapshots
// and answers.
func TestLostWorkIsSummedUp(t *testing.T) {
	sc := &script{t, New()}
	sc.must(joined, submitted, admitted)
	for _, kept := range []float64{0, 7, 20} { // the last host errs
		sc.must(given, &subjects.Evicted{
			Host: "h", Job: "j", Fact: subjects.Fact{Term: 1, Attempt: sc.s.Seq + 1}, Run: subjects.Run{CPU: 10, Seconds: 10},
			Reason: subjects.ReasonReserve, Kept: kept,
		})
	}
	body, err := sc.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again := New()
	if err := again.Restore(body); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*State{sc.s, again} {
		if lost := s.Job("j").Lost; lost < 13 || lost > 13 {
			t.Errorf("%v CPU seconds are lost, want 10 and 3", lost)
		}
	}
}
