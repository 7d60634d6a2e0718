package admission

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/admission/pool"
	"lull/subjects"
)

// The state that is updated event by event must equal that of a fresh instance. The fresh one folds
// the same log at once and predicts every job anew, by walks over all slots.
func TestWhatIsKeptUpIsWhatIsFoundAnew(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		p := newDriver(t, Config{})
		p.join("host-0", 3)
		for range 40 {
			p.event(rng)
			p.now = p.now.Add(time.Duration(rng.IntN(3000)) * time.Millisecond)
			p.settle()
		}
		p.now = p.now.Add(time.Minute)
		for name := range p.a.pool.Supply.Usage {
			p.use(name, rng.Float64()*4)
		}
		p.settle()
		p.a.pool.Supply.At = 0
		p.a.pool.Refresh()
		compareWithAnew(rt, p)
	})
}

// event makes a job come, a task begin or end, a host fill or empty.
func (p *driver) event(rng *rand.Rand) {
	switch rng.IntN(8) {
	case 0, 1, 2:
		deadline := []string{"", fmt.Sprint(20+rng.IntN(400), "s")}[rng.IntN(2)]
		p.submitted(job(1+rng.IntN(12), deadline))
	case 3:
		p.use(fmt.Sprint("host-", rng.IntN(2)), 4*rng.Float64())
	case 4:
		p.join(fmt.Sprint("host-", rng.IntN(2)), 4*rng.Float64())
	case 5:
		p.say(&subjects.Fitted{Type: "job", A: 1 + 9*rng.Float64(), B: -rng.Float64(), Low: 0.1, High: 1, Samples: 9})
	default:
		p.begin(rng)
	}
}

// begin gives a task of some job to a slot, or ends one that runs.
func (p *driver) begin(rng *rand.Rand) {
	host := p.a.facts.Ledger.Host("host-0")
	if at := host.Attempts(); len(at) > 0 && rng.IntN(2) == 0 {
		p.say(&subjects.Finished{Host: host.Name, Job: at[0].Job.ID, Fact: subjects.Fact{TaskID: at[0].Task, Term: host.Term, Attempt: at[0].ID}, Run: subjects.Run{Seconds: 5}})
		return
	}
	for j := range p.a.facts.Ledger.LiveJobs().All() {
		for i := range j.Stages[0].Len() {
			if p.now = p.now.Add(1); j.Live() {
				p.say(&subjects.Assigned{Host: host.Name, Job: j.ID, TaskID: subjects.TaskID{Task: uint32(i)}, Term: host.Term, Slot: uint32(rng.IntN(4)), Width: 1})
			}
		}
	}
}

func compareWithAnew(t *rapid.T, p *driver) {
	body, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Restore(body); err != nil {
		t.Fatal(err)
	}
	fresh.pool.Supply.Usage, fresh.facts.Now = p.a.pool.Supply.Usage, p.a.facts.Now
	for _, l := range fresh.pool.Queue.Few() {
		l.Pace = p.a.pool.Load(l.Life).Pace // telemetry: no snapshot has it
	}
	fresh.pool.Refresh()
	if fresh.pool.Queue.Len() != p.a.pool.Queue.Len() {
		t.Fatalf("queue kept up to date has %d jobs, want %d as made anew", p.a.pool.Queue.Len(), fresh.pool.Queue.Len())
	}
	kept, anew := p.a.judge.Scan(0), fresh.judge.Scan(0)
	for i, l := range fresh.pool.Queue.Few() {
		if got, want := kept.Next(p.a.pool.Queue.At(i)), anew.Next(l); p.a.pool.Queue.At(i).ID() != l.ID() || got != want {
			t.Fatalf("job %d, %s: %v, anew %s: %v", i, p.a.pool.Queue.At(i).ID(), got, l.ID(), want)
		}
		compareWithSlots(t, l)
	}
}

// compareWithSlots predicts a job of one stage by tct, which walks over slots.
func compareWithSlots(t *rapid.T, l *pool.Load) {
	u := l.Stages[0].Unit
	want := u.Class.Slots.JCT(l.Stages[0].Left, u.Curve)
	if got := u.JCT(l.Stages[0].Left) / u.MarginFactor; got > want+0.002 || got < want-0.002 {
		if want < 1e9 {
			t.Fatalf("%d tasks take %v, by a walk %v", l.Stages[0].Left, got, want)
		}
	}
}

func TestAForecastIsTheVerdictThatFollows(t *testing.T) {
	for _, deadline := range []string{"", "15s", "25s", "45s", "10m"} {
		p := newDriver(t, Config{})
		p.join("a", 4)
		p.submit(8, "30s")
		f := p.a.verdicts.forecast(job(8, deadline))
		before, _ := p.a.Snapshot()
		v := p.submit(8, deadline)
		if f.Verdict != v.Verdict || f.Code != v.Code || f.Finish != v.Finish && v.Verdict == "admitted" {
			t.Errorf("deadline %s: forecast %+v, verdict %+v, want the same", deadline, f, v)
		}
		if f.Earliest == "" || v.Earliest != "" && f.Earliest != v.Earliest {
			t.Errorf("deadline %s: earliest by the forecast, the verdict = %q, %q, want the same", deadline, f.Earliest, v.Earliest)
		}
		if again, _ := p.a.Snapshot(); len(before) == 0 || string(again) == string(before) {
			t.Error("snapshots before and after submit are the same, want a change")
		}
	}
}

func TestAForecastNamesThePushedJobsAndItsAssumptions(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	victim := p.submit(8, "30s")
	before, _ := p.a.Snapshot()
	f := p.a.verdicts.forecast(job(8, "25s"))
	if f.Code != subjects.ReasonDeadline && f.Code != subjects.ReasonOthers {
		t.Errorf("forecast(8, 25s) = %+v, want code %s or %s", f, subjects.ReasonDeadline, subjects.ReasonOthers)
	}
	if f.PushedJobs != 1 || len(f.Pushed) != 1 || f.Pushed[0].Job != victim.Job || f.Pushed[0].Slack >= 0 {
		t.Errorf("jobs pushed = %+v, want %s with negative slack", f.Pushed, victim.Job)
	}
	if len(f.Stages) != 1 || f.Stages[0].Basis != subjects.BasisEstimate || f.Stages[0].Seconds != 10 || f.Stages[0].Slots != 4 {
		t.Errorf("stages = %+v, want one: estimate 10 s, 4 slots", f.Stages)
	}
	if after, _ := p.a.Snapshot(); string(after) != string(before) || len(p.a.Step(actors.Input{Now: p.now, Decide: true}).Events) != 0 {
		t.Error("asking for a forecast changed the state or made events, want neither")
	}
}

func TestQuestionsFromOutsideAreAnsweredOrPassedOver(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	if p.a.Answer("other", job(1, "")) != nil {
		t.Error("Answer(other) = an answer, want nil")
	}
	for _, body := range [][]byte{nil, {0xdf, 0xff, 0xff, 0xff, 0xff}, []byte("]"), []byte(`{"name":"x","stages":[]}`)} {
		if f := p.a.verdicts.forecast(body); f.Verdict != "rejected" || f.Code != subjects.ReasonInvalid || f.Text == "" {
			t.Errorf("forecast(%q) = %+v, want rejected as invalid with a text", body, f)
		}
	}
}

func TestAPoolThatPromisesNothingAdmitsEverything(t *testing.T) {
	p := newDriver(t, Config{Mode: subjects.ModeAll})
	p.join("a", 4)
	for _, deadline := range []string{"1s", p.now.Add(-time.Hour).UTC().Format(time.RFC3339), ""} {
		if v := p.submit(400, deadline); v.Verdict != "admitted" {
			t.Errorf("submit(400, %s) = %+v, want admitted", deadline, v)
		}
	}
	if v := p.submit(1, "1h"); v.Verdict != "admitted" {
		t.Errorf("submit(1, 1h) = %+v, want admitted", v)
	}
	if said := p.pass(time.Minute); len(said) != 0 {
		t.Errorf("said where nothing was promised: %+v, want nothing", said[0])
	}
}
