package admission

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lull/actors"
	"lull/admission/judge"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/spec"
)

// long is a pool with a queue of jobs that all have deadlines, folded without verdicts.
func long(tb testing.TB, hosts, queued int) *driver {
	p := newDriver(tb, Config{})
	for i := range hosts {
		p.join(fmt.Sprint("h", i), 3)
	}
	fold := func(e subjects.Event) {
		p.seq++
		p.a.Step(actors.Input{Now: p.now, Entry: &actors.Entry{Seq: p.seq, Time: p.now, Event: e}})
	}
	job := spec.Job{Name: "job", Type: "t", Stages: []spec.Stage{{Name: "a", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1 << 20, Estimate: 1e10}}}
	for i := range queued {
		id := fmt.Sprint("j", i)
		fold(&subjects.Submitted{Job: id, Spec: job, At: p.now.UnixNano(), Deadline: p.now.Add(5000 * time.Hour).UnixNano()})
		fold(&subjects.Admitted{Job: id})
	}
	return p
}

// A queue too long for one step is checked in parts. Together they see each job once and predict
// what a check of the whole does.
func TestALongQueueIsCheckedInParts(t *testing.T) {
	p := long(t, 4, 2*judge.MaxChecks+judge.MaxChecks/2)
	p.decide()
	var want []span.Micros
	s := p.a.judge.Scan(0)
	for l := range p.a.pool.Queue.All() {
		want = append(want, s.Next(l))
	}
	var got []span.Micros
	from, parts, due := 0, 0, p.a.pool.Queue.Due()
	for {
		before := len(got)
		from = p.a.judge.Ends(from, due, func(_ *pool.Load, finish span.Micros) { got = append(got, finish) })
		if len(got)-before > judge.MaxChecks {
			t.Errorf("jobs in one part of a check = %d, want at most %d", len(got)-before, judge.MaxChecks)
		}
		if parts++; from == 0 {
			break
		}
	}
	if parts != 3 || !slices.Equal(got, want) {
		t.Errorf("%d parts see %d jobs of %d, or predict otherwise", parts, len(got), len(want))
	}
	seen := map[int]bool{}
	for range 20 { // of a tenth of the time between two looks
		p.now = p.now.Add(p.a.facts.Config.Check / 10)
		p.decide()
		seen[p.a.checker.checked] = true
	}
	for _, next := range []int{0, judge.MaxChecks, 2 * judge.MaxChecks} {
		if !seen[next] {
			t.Errorf("parts ended before %v, want one before job %d", seen, next)
		}
	}
}

// BenchmarkCheck is one step's part of the look at a queue's promises.
func BenchmarkCheck(b *testing.B) {
	for _, queued := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprint(queued), func(b *testing.B) {
			p := long(b, 100, queued)
			p.decide()
			for b.Loop() {
				for i := range 100 {
					p.use(fmt.Sprint("h", i), 3)
				}
				p.now = p.now.Add(p.a.facts.Config.Check * judge.MaxChecks / 1_000_000)
				p.decide()
			}
		})
	}
}
