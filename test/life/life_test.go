// Package life runs a job through the pure actors of admission and slotter together, over a log
// that is a slice and a host that is a function.
package life

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/admission"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
)

// pool is a log with both actors at its end.
type pool struct {
	t         *testing.T
	now       time.Time
	seq       uint64
	inbox     uint64
	admission *admission.Actor
	slotter   *slotter.Actor
	replies   []actors.Reply
	state     *ledger.State // what a reader of the log sees
}

func newPool(t *testing.T) *pool {
	a, err := admission.New(admission.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := slotter.New(slotter.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := &pool{t: t, now: time.Unix(1_700_000_000, 0), admission: a, slotter: s, state: ledger.New()}
	p.say(&subjects.Led{Actor: admission.Name, Partition: "all"}, &subjects.Led{Actor: slotter.Name, Partition: "all"})
	return p
}

// say appends events, encoded and decoded again, and feeds them to all actors.
func (p *pool) say(events ...subjects.Event) {
	for _, e := range events {
		p.seq++
		m, err := subjects.Encode(subjects.DefaultPool, e)
		if err != nil {
			p.t.Fatalf("Encode(%T) = %v, want no error", e, err)
		}
		if e, err = subjects.Decode(subjects.DefaultPool, m.Subject, m.Body); err != nil {
			p.t.Fatalf("Decode(%s) = %v, want no error", m.Subject, err)
		}
		in := actors.Input{Now: p.now, Entry: &actors.Entry{Seq: p.seq, Time: p.now, Event: e}}
		p.state.Apply(p.seq, p.now, e)
		p.replies = append(p.replies, p.admission.Step(in).Replies...)
		p.slotter.Step(in)
	}
}

func (p *pool) sample(t subjects.Telemetry) {
	p.admission.Step(actors.Input{Now: p.now, Sample: t})
	p.slotter.Step(actors.Input{Now: p.now, Sample: t})
}

// settle runs both until neither returns events.
func (p *pool) settle() {
	for range 100 {
		tick := actors.Input{Now: p.now, Decide: true}
		events := p.admission.Step(tick).Events
		p.say(events...)
		more := p.slotter.Step(tick).Events
		p.say(more...)
		if len(events)+len(more) == 0 {
			return
		}
	}
	p.t.Fatal("admission and slotter still append events after 100 turns, want none")
}

func (p *pool) submit(doc string) {
	p.inbox++
	out := p.admission.Step(actors.Input{Now: p.now, Request: &actors.Request{
		Seq: p.inbox, Time: p.now, Subject: subjects.DefaultPool.Submit(),
		MessageID: fmt.Sprint("message-", p.inbox), Client: "tests", Body: []byte(doc),
	}})
	if out.Quarantine != "" {
		p.t.Fatalf("submission quarantined: %s, want a reply", out.Quarantine)
	}
}

// work makes the host start and finish all that it was given.
func (p *pool) work(host string) {
	for _, at := range append([]*ledger.Attempt(nil), p.state.Host(host).Attempts()...) {
		f := subjects.Fact{TaskID: at.Task, Term: at.Host.Term, Attempt: at.ID}
		p.say(
			&subjects.Started{Host: host, Job: at.Job.ID, Fact: f, Residual: 1},
			&subjects.Finished{Host: host, Job: at.Job.ID, Fact: f, Run: subjects.Run{Seconds: 2, CPU: 2, Residual: at.Why.Residual}})
	}
}

const words = `
name: words
deadline: 30m
stages:
  - name: map
    command: [wc]
    tasks: 20
  - name: reduce
    command: [sum]
    from: {stage: map, by: all}
    tasks: 3
`

func TestAJobGoesFromItsSubmissionToItsEnd(t *testing.T) {
	p := newPool(t)
	p.say(&subjects.Joined{Host: "a", Cores: 4, Slots: 4, Memory: 8e9})
	p.sample(&subjects.Usage{Host: "a", Cores: 4, Idle: 3})
	p.submit(words)
	p.settle()
	if len(p.replies) != 1 || p.replies[0].Verdict.Verdict != "admitted" {
		t.Fatalf("replies = %+v, want one with the verdict admitted", p.replies)
	}

	job := p.replies[0].Verdict.Job
	for turns := 0; p.state.Job(job).Phase == ledger.Admitted; turns++ {
		if turns > 20 {
			t.Fatalf("remaining tasks after %d turns = %d, want none", turns, p.state.Job(job).Remaining())
		}
		p.now = p.now.Add(2 * time.Second)
		p.sample(&subjects.Usage{Host: "a", Cores: 4, Idle: 3})
		p.work("a")
		p.settle()
	}
	j := p.state.Job(job)
	if j.Phase != ledger.Finished || j.Totals.Attempts != 23 {
		t.Errorf("job = %s after %d attempts, want finished after 23", j.Phase, j.Totals.Attempts)
	}
	if p.state.Model("words:map") == nil {
		t.Error("Model(words:map) after 23 finished tasks = nil, want a model")
	}
}
