package story

import (
	"regexp"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/forged"
	"lull/subjects/ledger"
)

// noNumber is how Go prints what is no number, and what no reader can read: more digits than an amount can have.
var noNumber = regexp.MustCompile(`NaN|\bInf\b|\d{33}`)

// Whatever stands in the log, a job's story can be told, in numbers.
func TestAHostileLogIsTold(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := ledger.New()
		forger := forged.New(rapid.Uint64().Draw(rt, "seed"), s)
		of, now := map[string][]actors.Entry{}, start
		for seq := uint64(1); seq <= 200; seq++ {
			now = now.Add(time.Second)
			entry := actors.Entry{Seq: seq, Time: now, Event: forger.Event()}
			s.Apply(seq, now, entry.Event)
			if id := subjects.JobOf(entry.Event); id != "" {
				of[id] = append(of[id], entry)
			}
		}
		for j := range s.Jobs().All() {
			told := Job(s, j, of[j.ID], nil, now, Full) + Moves(s, j, RatesOf(s, j, nil, now), of[j.ID], now)
			for _, id := range []subjects.TaskID{{}, {Stage: 1}, {Stage: 1 << 31, Task: 1 << 31}} {
				told += Task(j, id, of[j.ID], now, Full)
			}
			if found := noNumber.FindString(told); found != "" {
				rt.Errorf("the story has %q, want numbers:\n%s", found, told)
			}
		}
	})
}
