package placer

import (
	"fmt"
	"math"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// shuffled has a job run whose reduces, all on the slow rack, fetch so many bytes from the fast one in so many
// seconds.
func (p *pool) shuffled(id string, bytes int64, seconds float64) {
	p.submit(id, "sort", spec.PlaceOff)
	run := func(stage uint32, hosts [2]string, fetch subjects.Fetch) {
		var given []uint64
		for task := range uint32(4) {
			host := hosts[task%2]
			p.say(&subjects.Assigned{Host: host, Job: id, TaskID: subjects.TaskID{Stage: stage, Task: task}, Term: p.a.State().Host(host).Term, Width: 1, Slot: task / 2, Try: 1})
			given = append(given, p.seq)
		}
		p.now = p.now.Add(time.Duration(seconds * 1e9))
		for task, attempt := range given {
			host := hosts[task%2]
			fact := subjects.Fact{TaskID: subjects.TaskID{Stage: stage, Task: uint32(task)}, Term: p.a.State().Host(host).Term, Attempt: attempt}
			p.say(&subjects.Started{Host: host, Job: id, Fact: fact, At: p.now.UnixNano()})
			p.say(&subjects.Finished{Host: host, Job: id, Fact: fact, Run: subjects.Run{Start: p.now.UnixNano(), Seconds: 1}, Fetch: fetch})
		}
	}
	run(0, [2]string{"fast-1", "fast-2"}, subjects.Fetch{})
	run(1, [2]string{"slow-1", "slow-2"}, subjects.Fetch{Fetching: seconds, Fetched: []subjects.Fetched{{Rack: "fast", Bytes: bytes / 4, Seconds: seconds}}})
	if j := p.a.State().Job(id); !j.Over(1) {
		p.t.Fatalf("job %s: totals %+v, want its second stage over", id, j.Totals)
	}
}

func (p *pool) links() *subjects.LinksAnswer {
	p.pass(1)
	return p.a.answerLinks(must(subjects.Marshal(&subjects.LinksAsk{})))
}

// Where shuffles have less of an uplink than it is declared to have, it counts for less: in lull topology, in plans and for
// jobs. Another topology begins anew.
func TestUplinksThatGiveLessAreLearnt(t *testing.T) {
	p := newPool(t)
	for n := range 3 {
		if l := p.links(); l.Racks[1].DownLearnt != 0 {
			t.Fatalf("DownLearnt of the slow rack after %d jobs = %v, want 0", n, l.Racks[1].DownLearnt)
		}
		p.shuffled(fmt.Sprint("j", n), 100e6, 20)
	}
	near := func(got, want float64) bool { return math.Abs(got-want) < 0.02*want }
	check := func(when string) {
		t.Helper()
		slow, fast := p.links().Racks[1], p.links().Racks[0]
		if !near(slow.DownLearnt, 5e6) || !near(slow.DownLeft, 5e6) || slow.Down != 10e6 || slow.UpLearnt != 0 || fast.UpLearnt != 0 {
			t.Errorf("%s: uplinks = %+v, %+v, want 5 MB/s learnt down the slow one alone", when, slow, fast)
		}
	}
	check("after three slow shuffles")
	snapshot, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.a.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	p.pass(3)
	check("after a restart")
	p.say(&subjects.Wired{Racks: p.a.State().Network.Racks})
	if l := p.links(); l.Racks[1].DownLearnt != 0 {
		t.Errorf("DownLearnt with another topology = %v, want 0", l.Racks[1].DownLearnt)
	}
}

// What tasks take beside fetching and running counts for the jobs that come.
func TestOverheadsAreLearnt(t *testing.T) {
	p := newPool(t)
	p.submit("before", "sort", "")
	first := p.word()
	p.say(first, &subjects.Cancelled{Job: "before"})
	for n := range 3 {
		p.shuffled(fmt.Sprint("j", n), 4e6, 21) // each task holds its slot for 21 s and runs for 1; the reduces fetch
	}
	p.pass(3)
	p.submit("after", "sort", "")
	second := p.word()
	if more := second.Seconds - first.Seconds; math.Abs(more-20) > 1 {
		t.Errorf("predicted %v s, then %v s with 20 s beside each map, want 20 more", first.Seconds, second.Seconds)
	}
}
