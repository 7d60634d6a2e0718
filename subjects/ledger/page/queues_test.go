package page

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// The parts of the queues add up to the whole, whatever ends a part: the queues that operators
// spoke of, the hosts or the jobs.
func TestPartsOfQueuesCountEveryJobOnce(t *testing.T) {
	const jobs, said, hosts = 3000, 2300, 60_000
	s := crowd(t, jobs)
	for i := range said {
		s.Apply(s.Seq+1, time.Unix(jobs, 0), &subjects.Shared{Queue: fmt.Sprintf("s%04d", i), Weight: 2})
	}
	for i := range hosts {
		s.Apply(s.Seq+1, time.Unix(jobs, 0), &subjects.Joined{Host: fmt.Sprintf("h%05d", i)})
	}
	silent := func(*ledger.Attempt) (float64, bool) { return 0, false }
	count, lines, parts := map[string]uint32{}, 0, 0
	for ask := (subjects.QueuesAsk{}); ; {
		answer := Queues(s, &ask, silent)
		if len(answer.Queues) > pageLines {
			t.Fatalf("lines in one answer = %d, want at most %d", len(answer.Queues), pageLines)
		}
		for _, l := range answer.Queues {
			count[l.Queue] += l.Jobs
		}
		lines += len(answer.Queues)
		parts++
		if ask.From = answer.Next; ask.From == (subjects.QueuesFrom{}) {
			break
		}
	}
	if count["q"] != 1000 || count["default"] != 1000 || len(count) != said+2 || parts < 4 {
		t.Errorf("%d queues in %d parts, jobs in q, default = %d, %d, want %d queues in at least 4 and 1000 jobs each", len(count), parts, count["q"], count["default"], said+2)
	}
}

// Whatever place a question names, the answer ends.
func TestAnyPlaceAmongQueuesIsAnswered(t *testing.T) {
	s := crowd(t, 6)
	silent := func(*ledger.Attempt) (float64, bool) { return 0, false }
	for _, from := range []subjects.QueuesFrom{{Queue: "zz"}, {Host: "zz"}, {Job: 1 << 63}, {Queue: "zz", Host: "zz", Job: 1}} {
		if next := Queues(s, &subjects.QueuesAsk{From: from, Now: -1}, silent).Next; next != (subjects.QueuesFrom{}) {
			t.Errorf("Queues(from %+v) goes on at %+v, want the end", from, next)
		}
	}
}
