package slotter

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// pool drives an actor without a bus: what it decides comes back as the log.
type pool struct {
	tb  testing.TB
	a   *Actor
	seq uint64
	now time.Time
	log []subjects.Event // all that was folded
}

func newPool(tb testing.TB, cfg Config) *pool {
	tb.Helper()
	a, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	p := &pool{tb: tb, a: a, now: time.Unix(1_700_000_000, 0)}
	p.say(&subjects.Led{Actor: Name, Partition: "all", Format: subjects.Format})
	return p
}

// say appends events to the log and folds them.
func (p *pool) say(events ...subjects.Event) {
	for _, e := range events {
		p.seq++
		p.log = append(p.log, e)
		p.a.Step(actors.Input{Now: p.now, Entry: &actors.Entry{Seq: p.seq, Time: p.now, Event: e}})
	}
}

// decide asks for decisions without letting them come back.
func (p *pool) decide() []subjects.Event {
	return p.a.Step(actors.Input{Now: p.now, Decide: true}).Events
}

// turn decides once and folds the decisions.
func (p *pool) turn() []subjects.Event {
	events := p.decide()
	p.say(events...)
	return events
}

// settle takes turns until there is nothing more to decide.
func (p *pool) settle() (all []subjects.Event) {
	for range 1000 {
		events := p.turn()
		if len(events) == 0 {
			return all
		}
		all = append(all, events...)
	}
	p.tb.Fatal("the slotter decides without end")
	return nil
}

func (p *pool) sample(t subjects.Telemetry) {
	p.a.Step(actors.Input{Now: p.now, Sample: t})
}

// join adds a host and its first telemetry.
func (p *pool) join(name string, slots uint32, memory int64, idle float64) {
	p.joinAhead(name, slots, 0, memory, idle)
}

// joinAhead adds a host with labels that offers places ahead.
func (p *pool) joinAhead(name string, slots, ahead uint32, memory int64, idle float64, labels ...string) {
	slices.Sort(labels)
	p.say(&subjects.Joined{Host: name, Cores: slots, Slots: slots, Ahead: ahead, Memory: memory, Labels: labels, URL: "http://" + name, Token: "t", Format: subjects.Format})
	p.use(name, idle)
}

// joinReserved adds a host that keeps cores free beside its primary and batch work.
func (p *pool) joinReserved(name string, cores, ahead, kept uint32, idle float64) {
	p.say(&subjects.Joined{Host: name, Cores: cores, Slots: cores, Ahead: ahead, Memory: 1000, ReserveCPU: kept, ReserveMemory: 100, URL: "http://" + name, Format: subjects.Format})
	p.use(name, idle)
}

// use publishes that a host's primary leaves so many cores idle.
func (p *pool) use(name string, idle float64) {
	cores := float64(p.a.facts.Ledger.Host(name).Joined.Cores)
	p.sample(&subjects.Usage{Host: name, At: p.now.UnixNano(), Idle: idle, Primary: max(cores-idle, 0), MemoryFree: 1 << 30})
}

// beat publishes a heartbeat of a host that agrees with the ledger.
func (p *pool) beat(name string) {
	h := p.a.facts.Ledger.Host(name)
	b := &subjects.Beat{Host: name, Term: h.Term, Seq: p.seq}
	for _, at := range h.Attempts() {
		b.Attempts = append(b.Attempts, at.ID)
	}
	slices.Sort(b.Attempts)
	p.sample(b)
}

// pass advances time by seconds, in which all hosts but the silent ones beat.
func (p *pool) pass(seconds int, silent ...string) {
	for range seconds {
		p.now = p.now.Add(time.Second)
		for _, h := range p.a.facts.Ledger.Hosts() {
			if !slices.Contains(silent, h.Name) {
				p.beat(h.Name)
				p.use(h.Name, p.a.facts.Hosts.Of[h.Name].Idle)
			}
		}
	}
}

func (p *pool) submit(id string, deadline time.Duration, stages ...spec.Stage) {
	p.submitSpec(id, deadline, spec.Job{Name: "job", Type: id, Stages: stages})
}

func (p *pool) submitSpec(id string, deadline time.Duration, job spec.Job) {
	e := &subjects.Submitted{Job: id, Spec: job, Inbox: p.seq + 1, At: p.now.UnixNano(), Trace: "trace-" + id}
	if deadline != 0 {
		e.Deadline = p.now.Add(deadline).UnixNano()
	}
	p.say(e, &subjects.Admitted{Job: id})
	if p.a.facts.Ledger.Job(id) == nil {
		p.tb.Fatalf("job %s is invalid: %v", id, job.Validate())
	}
}

// tasks is a stage of n small tasks.
func tasks(name string, n uint32) spec.Stage {
	return spec.Stage{Name: name, Argv: []string{"true"}, Tasks: n, CPU: 1, Memory: 1, Estimate: 10 * time.Second}
}

// fact is what a host says of an attempt.
func fact(at *ledger.Attempt) subjects.Fact {
	return subjects.Fact{TaskID: at.Task, Term: at.Host.Term, Attempt: at.ID}
}

// finish reports the end of every attempt.
func (p *pool) finish() (n int) {
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range slices.Clone(h.Attempts()) {
			p.say(done(at, 10))
			n++
		}
	}
	return n
}

func done(at *ledger.Attempt, seconds float64) *subjects.Finished {
	return &subjects.Finished{
		Host: at.Host.Name, Job: at.Job.ID, Fact: fact(at),
		Run:   subjects.Run{Seconds: seconds, CPU: seconds, Residual: at.Why.Residual},
		Files: 1, Manifest: subjects.Digest{byte(at.ID), 1},
	}
}

// slotOf describes an assignment in a line.
func slotOf(e *subjects.Assigned) string {
	return fmt.Sprintf("%s/%d.%d -> %s[%d+%v] %s r=%.2f norm=%.2f slack=%.1f",
		e.Job, e.Stage, e.Task, e.Host, e.Slot, spec.CoresOf(e.Width, e.Part), e.Why.Rule, e.Why.Residual, e.Why.Norm, e.Why.Slack)
}
