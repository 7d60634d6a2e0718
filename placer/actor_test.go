package placer

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"lull/actors"
	"lull/placer/choice"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// pool is a placer with a log, and the hosts that it hears.
type pool struct {
	t    *testing.T
	a    *Actor
	seq  uint64
	now  time.Time
	term uint64
	uses map[string]subjects.Usage
}

// newPool has two racks of two hosts, a fast one and a slow one, and a type of jobs that is known.
func newPool(t *testing.T) *pool {
	p := &pool{t: t, a: New(Config{}), now: time.Unix(1_700_000_000, 0), uses: map[string]subjects.Usage{}}
	p.say(&subjects.Led{Actor: Name, Partition: "all", Instance: "me", Format: subjects.Format})
	p.term = p.seq
	rack := func(name string, rate float64) subjects.WiredRack {
		return subjects.WiredRack{WiredLink: subjects.WiredLink{Name: name, Up: rate, Down: rate}}
	}
	p.say(&subjects.Wired{Racks: []subjects.WiredRack{rack("fast", 100e6), rack("slow", 10e6)}})
	for _, host := range []string{"fast-1", "fast-2", "slow-1", "slow-2"} {
		p.say(&subjects.Joined{Host: host, Cores: 2, Slots: 2, Memory: 1 << 30, Labels: []string{"rack=" + host[:4]}})
		p.uses[host] = subjects.Usage{Host: host, Cores: 2, Idle: 2}
	}
	p.say(
		&subjects.Fitted{Type: "sort:map", A: 20, Samples: 9, High: 1, Size: 1e9, Least: 1e9, Most: 1e9, Gives: 1, Yield: 1e9},
		&subjects.Fitted{Type: "sort:reduce", A: 20, Samples: 9, High: 1})
	p.pass(3)
	return p
}

func (p *pool) say(events ...subjects.Event) {
	for _, e := range events {
		p.seq++
		p.a.Step(actors.Input{Now: p.now, Entry: &actors.Entry{Seq: p.seq, Time: p.now, Event: e}})
	}
}

// pass has seconds pass in which all hosts send their usage.
func (p *pool) pass(seconds int, silent ...string) {
	for range seconds {
		p.now = p.now.Add(time.Second)
		for host, u := range p.uses {
			if !slices.Contains(silent, host) {
				p.a.Step(actors.Input{Now: p.now, Sample: &u})
			}
		}
	}
}

func (p *pool) decide() actors.Output {
	return p.a.Step(actors.Input{Now: p.now, Term: p.term, Decide: true})
}

// search is the search that the placer calls for, nil if none.
func (p *pool) search() *Search {
	out := p.decide()
	if len(out.Actions) == 0 {
		return nil
	}
	s := out.Actions[0].(Search)
	return &s
}

// word has the placer search and say what it found; nil if it says nothing.
func (p *pool) word() *subjects.Placed {
	p.t.Helper()
	out := p.decide()
	if len(out.Actions) > 0 {
		p.a.Step(actors.Input{Now: p.now, Term: p.term, Report: Perform(out.Actions[0].(Search), choice.InTurn)})
		out = p.decide()
	}
	if len(out.Events) == 0 {
		return nil
	}
	return out.Events[0].(*subjects.Placed)
}

func (p *pool) submit(id, jobType string, place string) {
	stage := func(name string, tasks uint32, from ...spec.From) spec.Stage {
		return spec.Stage{Name: name, Argv: []string{"x"}, Tasks: tasks, CPU: 1, Memory: 1, From: from}
	}
	j := spec.Job{Name: id, Type: jobType, Place: place, Stages: []spec.Stage{stage("map", 4), stage("reduce", 4, spec.From{Partition: true})}}
	j.Stages[0].Partitions, j.Stages[0].Bytes = 4, 1e9
	p.say(&subjects.Submitted{Job: id, Spec: j}, &subjects.Admitted{Job: id})
}

func names(e *subjects.Placed) (all []string) {
	for _, h := range e.Hosts {
		all = append(all, h.Host)
	}
	return all
}

func TestAJobIsPlacedOnce(t *testing.T) {
	p := newPool(t)
	p.submit("j", "sort", "")
	e := p.word()
	if e == nil || len(e.Hosts) != 2 || e.Hosts[0].Host[:4] != e.Hosts[1].Host[:4] {
		t.Fatalf("placement = %+v, want two hosts of one rack", e)
	}
	if again := p.word(); !reflect.DeepEqual(again, e) {
		t.Errorf("placement before the first is in the log = %+v, want %+v", again, e)
	}
	p.say(e)
	if more := p.word(); more != nil {
		t.Errorf("placement of a job that is placed = %+v, want none", more)
	}
	if got := p.a.State().Job("j").Placement; got == nil || !got.Has(e.Hosts[0].Host) {
		t.Errorf("Placement of j = %+v, want %s in it", got, e.Hosts[0].Host)
	}
}

func TestWhyAJobIsNotPlaced(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(p *pool)
		why     string
	}{
		"nothing is known of what it gives": {func(p *pool) { p.submit("j", "new", "") }, subjects.PlacedUnknown},
		"it moves little": {func(p *pool) {
			p.say(&subjects.Fitted{Type: "sort:map", A: 2000, Samples: 9, High: 1, Gives: 1e-6, Yield: 1e3})
			p.submit("j", "sort", "")
		}, subjects.PlacedLittle},
		"every slot is taken": {func(p *pool) {
			p.take(0)
			p.submit("j", "sort", "")
		}, subjects.PlacedGain},
		"fewer slots are free than it can use": {func(p *pool) {
			p.take(3)
			p.submit("j", "sort", "")
		}, subjects.PlacedGain},
		"no host has a rack": {func(p *pool) {
			p.say(&subjects.Wired{Racks: []subjects.WiredRack{{WiredLink: subjects.WiredLink{Name: "other", Up: 1, Down: 1}}}})
			p.submit("j", "sort", "")
		}, subjects.PlacedNowhere},
		"no host was heard of for ten seconds": {func(p *pool) {
			p.submit("j", "sort", "")
			p.pass(12, "fast-1", "fast-2", "slow-1", "slow-2")
		}, subjects.PlacedNowhere},
	} {
		p := newPool(t)
		c.happens(p)
		e := p.word()
		if e == nil || e.Why != c.why || len(e.Hosts) > 0 {
			t.Errorf("%s: placement = %+v, want no hosts because of %s", name, e, c.why)
			continue
		}
		p.say(e)
		if p.a.State().Job("j").Placement == nil {
			t.Errorf("%s: the ledger does not take %+v, want it taken", name, e)
		}
	}
}

func TestNothingIsSaidWithoutReason(t *testing.T) {
	p := newPool(t)
	p.submit("off", "sort", spec.PlaceOff)
	if e := p.word(); e != nil {
		t.Errorf("placement of a job with place: off = %+v, want none", e)
	}
	p.say(&subjects.Wired{})
	p.submit("j", "sort", "")
	if e := p.word(); e != nil {
		t.Errorf("placement without a network = %+v, want none", e)
	}
}

// What the primaries move counts against NICs and uplinks; what agents move themselves does not.
func TestLinksHaveLeftWhatPrimariesDoNotMove(t *testing.T) {
	p := newPool(t)
	u := p.uses["fast-1"]
	u.NetOut, u.MovedOut, u.NetIn, u.MovedIn = 50e6, 20e6, 10e6, 10e6
	p.uses["fast-1"] = u
	p.pass(12)
	l := p.a.answerLinks(must(subjects.Marshal(&subjects.LinksAsk{Hosts: true})))
	near := func(got, want float64) bool { return math.Abs(got-want) < 1 }
	if r := l.Racks[0]; r.Name != "fast" || !near(r.UpLeft, 70e6) || !near(r.DownLeft, 100e6) || r.Hosts != 2 {
		t.Errorf("uplink of the fast rack = %+v, want 70 MB/s up, 100 MB/s down, 2 hosts", r)
	}
	if h := l.Hosts[0]; h.Name != "fast-1" || !near(h.Up, 125e6) || !near(h.UpLeft, 95e6) || !near(h.DownLeft, 125e6) {
		t.Errorf("NIC of fast-1 = %+v, want 125 MB/s, 95 left up, 125 down", h)
	}
	p.pass(11, "slow-2")
	if l := p.a.answerLinks(must(subjects.Marshal(&subjects.LinksAsk{}))); len(l.Missing) != 1 || l.Missing[0].Host != "slow-2" {
		t.Errorf("hosts missing = %+v, want slow-2", l.Missing)
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// A placement that the log does not take is given up for a while, and other jobs are placed.
func TestAWordThatIsVoidIsGivenUp(t *testing.T) {
	p := newPool(t)
	p.submit("j", "sort", "")
	p.submit("k", "sort", "")
	e := p.word()
	void := *e
	void.Known = p.seq + 100 // the log takes no word that knows the future
	p.a.pending = &void
	p.say(&void)
	if next := p.word(); next == nil || next.Job != "k" {
		t.Errorf("placement after one of j was void = %+v, want k", next)
	}
	p.say(&subjects.Cancelled{Job: "j"})
	if len(p.a.notBefore) > 0 {
		t.Errorf("pauses of jobs that have ended = %v, want none", p.a.notBefore)
	}
}

func TestALostHostMakesItSayItAnew(t *testing.T) {
	p := newPool(t)
	p.submit("j", "sort", "")
	first := p.word()
	p.say(first)
	on, gone := first.Hosts[0].Host, first.Hosts[1].Host
	p.say(&subjects.Assigned{Host: on, Job: "j", Term: p.a.State().Host(on).Term, Width: 1})
	p.say(&subjects.Lost{Host: gone, Term: p.a.State().Host(gone).Term, Silence: 15})
	e := p.word()
	if e == nil || e.Anew != subjects.PlacedLost || slices.Contains(names(e), gone) {
		t.Fatalf("placement after a host was lost = %+v, want another without %s", e, gone)
	}
	p.say(e)
	if got := p.a.State().Job("j").Placement; !got.Again || got.Known != e.Known {
		t.Errorf("Placement = %+v, want another, known since %v", got, e.Known)
	}
}

// A type of which three jobs in a row were predicted wrongly is placed no more, until one fits.
func TestAnUnfitTypeIsNotPlaced(t *testing.T) {
	p := newPool(t)
	for i := range 5 {
		id := fmt.Sprint("j", i)
		p.submit(id, "sort", "")
		e := p.word()
		if unfit := i == 3 || i == 4; unfit != (e.Why == subjects.PlacedUnfit) || unfit != (len(e.Hosts) == 0) {
			t.Errorf("job %d: placement = %+v, want unfit predictions at 3 and 4 alone", i, e)
		}
		p.say(e)
		took := 10 * e.Seconds
		if i == 4 {
			took = e.Seconds
		}
		p.run(id, e, time.Duration(took*1e9))
	}
	p.submit("last", "sort", "")
	if e := p.word(); len(e.Hosts) == 0 {
		t.Errorf("placement once a prediction fits = %+v, want hosts", e)
	}
}

// run runs all tasks of a job on the hosts of its placement, within a time.
func (p *pool) run(id string, placed *subjects.Placed, took time.Duration) {
	p.t.Helper()
	rack := "fast-"
	if len(placed.Hosts) > 0 {
		rack = placed.Hosts[0].Host[:5]
	}
	half := took / 2
	for stage := range uint32(2) {
		var at []uint64
		for task := range uint32(4) {
			host := fmt.Sprint(rack, 1+task/2)
			p.say(&subjects.Assigned{Host: host, Job: id, TaskID: subjects.TaskID{Stage: stage, Task: task}, Term: p.a.State().Host(host).Term, Slot: task % 2, Width: 1})
			at = append(at, p.seq)
		}
		p.now = p.now.Add(half)
		p.pass(2)
		for task := range uint32(4) {
			host := fmt.Sprint(rack, 1+task/2)
			p.say(&subjects.Finished{Host: host, Job: id, Fact: subjects.Fact{TaskID: subjects.TaskID{Stage: stage, Task: task}, Term: p.a.State().Host(host).Term, Attempt: at[task]},
				Run: subjects.Run{Seconds: half.Seconds() + 2}})
		}
	}
	p.say(&subjects.JobFinished{Job: id})
	if got := p.a.State().Job(id).Phase; got != ledger.Finished {
		p.t.Fatalf("job %s is %s, want finished", id, got)
	}
}

// TestAPlanIsAnswered: a client asks until the placer has searched.
func TestAPlanIsAnswered(t *testing.T) {
	p := newPool(t)
	document := []byte(`{"name":"sort","stages":[{"name":"map","command":["x"],"tasks":4,"gives":"1GB","estimate":"20s"},
		{"name":"reduce","command":["x"],"tasks":4,"estimate":"20s","from":[{"stage":"map","by":"partition"}]}]}`)
	ask := func(id string, doc []byte) *subjects.PlanAnswer {
		var answer subjects.PlanAnswer
		if err := subjects.Unmarshal(p.a.Answer(subjects.AskPlan, must(subjects.Marshal(&subjects.PlanAsk{ID: id, Doc: doc}))), &answer); err != nil {
			t.Fatal(err)
		}
		return &answer
	}
	if got := ask("one", document); got.Done || got.Error != "" {
		t.Fatalf("first answer = %+v, want it not done and no error", got)
	}
	s := p.search()
	if s == nil {
		t.Fatal("search = nil, want one")
	}
	p.a.Step(actors.Input{Now: p.now, Term: p.term, Report: Perform(*s, choice.InTurn)})
	got := ask("one", document)
	if !got.Done || len(got.Rows) != 6 || got.Rows[0].Policy != "lull" || got.Why != "" || got.Slots != 4 || got.Bound > got.Rows[0].Seconds {
		t.Errorf("plan = %+v, want six rows, lull's first, 4 slots and a bound below", got)
	}
	for _, row := range got.Rows[1:] {
		if row.Seconds < got.Rows[0].Seconds {
			t.Errorf("row %s = %+v, want no less than lull's", row.Policy, row)
		}
	}
	if got := ask("", document); got.Error == "" {
		t.Errorf("answer to a request without an id = %+v, want an error", got)
	}
	ask("two", []byte("name: ["))
	p.decide()
	if got := ask("two", nil); !got.Done || got.Error == "" {
		t.Errorf("answer to a document with a mistake = %+v, want an error", got)
	}
	// A paused pool places nothing, and answers all the same.
	p.say(&subjects.PoolPaused{})
	p.submit("waits", "sort", "")
	ask("three", document)
	s = p.search()
	if s == nil || s.Job != "" {
		t.Fatalf("search of a paused pool = %+v, want one without a job", s)
	}
	p.a.Step(actors.Input{Now: p.now, Term: p.term, Report: Perform(*s, choice.InTurn)})
	if got := ask("three", document); !got.Done || len(got.Rows) != 6 {
		t.Errorf("plan of a paused pool = %+v, want six rows", got)
	}
}

func TestUsageOfUnknownHostsIsNotKept(t *testing.T) {
	p := newPool(t)
	for i := range 100 {
		p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: fmt.Sprint("made-up-", i), Idle: 2}})
	}
	if n := len(p.a.usages.hosts); n != len(p.uses) {
		t.Errorf("hosts kept = %d, want %d as in the pool", n, len(p.uses))
	}
}

// A placer goes on from what another service saved of the ledger, and a standby forgets what it began.
func TestASnapshotIsGoneOnFrom(t *testing.T) {
	p := newPool(t)
	p.submit("j", "sort", "")
	e := p.word()
	b, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	uses := p.a.usages
	if err := p.a.Restore(b); err != nil {
		t.Fatal(err)
	}
	p.a.usages = uses
	if again := p.word(); again == nil || !slices.Equal(names(again), names(e)) || again.Seed != e.Seed || again.Evaluations != e.Evaluations {
		t.Errorf("placement after Restore = %+v, want %+v", again, e)
	}
	p.say(&subjects.Led{Actor: Name, Partition: "all", Instance: "other", Format: subjects.Format})
	if p.a.pending != nil || p.a.busy {
		t.Errorf("pending %v, busy %v when another leads, want neither", p.a.pending, p.a.busy)
	}
}

// Users choose the types of jobs, so that those which are over must not count.
func TestCurvesOfEndedJobsGo(t *testing.T) {
	p := newPool(t)
	for i := range 200 {
		id := fmt.Sprint("j", i)
		p.say(&subjects.Fitted{Type: id + ":map", A: 20, Samples: 9, High: 1, Size: 1e9, Least: 1e9, Most: 1e9, Gives: 1, Yield: 1e9},
			&subjects.Fitted{Type: id + ":reduce", A: 20, Samples: 9, High: 1})
		p.submit(id, id, "")
		p.word()
		p.a.pending = nil
		p.say(&subjects.Cancelled{Job: id})
	}
	if n := p.a.curves.Len(); n > fewCurves+16 {
		t.Errorf("curves kept = %d, want about %d", n, fewCurves)
	}
}
