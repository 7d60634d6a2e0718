package admission

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

// driver drives an actor without a bus: what it decides comes back as the log.
type driver struct {
	tb      testing.TB
	a       *Actor
	seq     uint64
	inbox   uint64
	now     time.Time
	replies map[uint64]subjects.Verdict // by inbox message
}

func newDriver(tb testing.TB, cfg Config) *driver {
	tb.Helper()
	a, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	p := &driver{tb: tb, a: a, now: time.Unix(1_700_000_000, 0), replies: map[uint64]subjects.Verdict{}}
	p.say(&subjects.Led{Actor: Name, Partition: "all"})
	return p
}

// say appends events to the log, through their bytes, and folds them.
func (p *driver) say(events ...subjects.Event) {
	p.tb.Helper()
	for _, e := range events {
		p.seq++
		m, err := subjects.Encode(subjects.DefaultPool, e)
		if err != nil {
			p.tb.Fatal(err)
		}
		if e, err = subjects.Decode(subjects.DefaultPool, m.Subject, m.Body); err != nil {
			p.tb.Fatal(err)
		}
		p.hear(p.a.Step(actors.Input{Now: p.now, Entry: &actors.Entry{Seq: p.seq, Time: p.now, Event: e}}))
	}
}

func (p *driver) hear(out actors.Output) {
	for _, r := range out.Replies {
		if was, ok := p.replies[r.Inbox]; ok && was != r.Verdict && was.Verdict != subjects.VerdictTrying {
			p.tb.Errorf("message %d is answered twice: %+v, then %+v", r.Inbox, was, r.Verdict)
		}
		p.replies[r.Inbox] = r.Verdict
	}
}

func (p *driver) decide() []subjects.Event {
	out := p.a.Step(actors.Input{Now: p.now, Decide: true})
	p.hear(out)
	return out.Events
}

// settle decides and folds until there is nothing more to decide.
func (p *driver) settle() (all []subjects.Event) {
	p.tb.Helper()
	for range 100 {
		events := p.decide()
		if len(events) == 0 {
			return all
		}
		p.say(events...)
		all = append(all, events...)
	}
	p.tb.Fatal("admission decides without end")
	return nil
}

// join adds a host of 4 slots and its telemetry of ten seconds.
func (p *driver) join(name string, idle float64, labels ...string) {
	p.say(&subjects.Joined{Host: name, Cores: 4, Slots: 4, Memory: 8e9, Labels: labels})
	p.use(name, idle)
	p.now = p.now.Add(10 * time.Second) // as long as no job is rejected
	for host, w := range p.a.pool.Supply.Usage {
		p.use(host, w.Now())
	}
}

func (p *driver) use(name string, idle float64) {
	p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: name, Idle: idle}})
}

// request puts a message into the inbox and returns its sequence.
func (p *driver) request(r actors.Request) (inbox uint64, out actors.Output) {
	p.inbox++
	r.Seq, r.Time = p.inbox, p.now
	if r.Subject == "" {
		r.Subject = subjects.DefaultPool.Submit()
	}
	out = p.a.Step(actors.Input{Now: p.now, Request: &r})
	p.hear(out)
	return p.inbox, out
}

// submit sends a job of n tasks of ten seconds and returns the verdict.
func (p *driver) submit(n int, deadline string) subjects.Verdict {
	p.tb.Helper()
	inbox := p.submitted(job(n, deadline))
	p.settle()
	return p.replies[inbox]
}

// submitted sends a document.
func (p *driver) submitted(body []byte) (inbox uint64) {
	inbox, _ = p.request(actors.Request{Body: body})
	return inbox
}

func job(n int, deadline string) []byte {
	if deadline != "" {
		deadline = "deadline: " + deadline + "\n"
	}
	return fmt.Appendf(nil, "name: job\n%sstages:\n- name: one\n  command: [\"true\"]\n  tasks: %d\n  estimate: 10s\n", deadline, n)
}

// restarted is another instance, which goes on from a snapshot of this one.
func (p *driver) restarted() *driver {
	p.tb.Helper()
	state, err := p.a.Snapshot()
	if err != nil {
		p.tb.Fatal(err)
	}
	next := newDriver(p.tb, p.a.facts.Config)
	if err := next.a.Restore(state); err != nil {
		p.tb.Fatal(err)
	}
	next.seq, next.now = p.seq, p.now
	return next
}
