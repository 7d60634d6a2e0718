package queues

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
	"lull/subjects/spec"
)

func TestALittleIsNotNothing(t *testing.T) {
	for share, want := range map[float64]string{0: "0%", 1e-6: "<1%", 0.005: "<1%", 0.006: "1%", 1: "100%"} {
		if got := part(share); got != want {
			t.Errorf("part(%v) = %s, want %s", share, got, want)
		}
	}
}

func TestQueuesAreShownInRows(t *testing.T) {
	s := ledger.New()
	job := func(id, queue string) *subjects.Submitted {
		return &subjects.Submitted{Job: id, Spec: spec.Job{Name: id, Type: id, Queue: queue, Stages: []spec.Stage{
			{Name: "scan", Argv: []string{"true"}, Tasks: 4, CPU: 1, Memory: 1, Bytes: 100e6},
		}}}
	}
	for i, e := range []subjects.Event{
		&subjects.Joined{Host: "h", Cores: 4, Slots: 4, Memory: 1 << 30},
		&subjects.Shared{Queue: "nightly", Weight: 3, Jobs: 1}, &subjects.Shared{Queue: "idle", Weight: 2},
		job("a", "nightly"), &subjects.Admitted{Job: "a"}, job("b", ""), &subjects.Admitted{Job: "b"},
		&subjects.Assigned{Host: "h", Job: "a", Term: 1, Width: 1},
		&subjects.Assigned{Host: "h", Job: "a", Term: 1, TaskID: subjects.TaskID{Task: 1}, Slot: 1, Width: 1},
		&subjects.Assigned{Host: "h", Job: "b", Term: 1, Slot: 2, Width: 1},
		&subjects.Paced{Host: "h", Job: "a", Term: 1, Rates: []subjects.Rate{{Rate: 5e6}}},
		&subjects.Finished{Host: "h", Job: "b", Fact: subjects.Fact{Term: 1, Attempt: 10}},
	} {
		s.Apply(uint64(i+1), time.Unix(int64(i), 0), e)
	}
	var got []string
	speeds := map[uint64]float64{8: 4e6, 9: 5e6}
	answer := page.Queues(s, &subjects.QueuesAsk{Now: time.Unix(26, 0).UnixNano()}, func(at *ledger.Attempt) (float64, bool) {
		rate, heard := speeds[at.ID]
		return rate, heard
	})
	for _, r := range queueRows(answer.Queues) {
		got = append(got, strings.Join(r.cells(), "|"))
	}
	want := "default|1|25%|1|0|0%|-|-|5.0 MB/s\nidle|2|-|0|0|0%|-|-|-\nnightly|3|75%|1 (1 at once)|2|100%|10 MB/s|9.0 MB/s|-"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("rows =\n%s\nwant\n%s", text, want)
	}
}
