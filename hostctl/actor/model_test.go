package actor

import (
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

const (
	modelTasks = 6 // of one core, and of two
	modelSlots = 3
	modelAhead = 2
)

// model is a host's shell, its shims and a slotter, all in memory, with a crash possible between
// any two effects. The real ledger judges the events.
type model struct {
	t      *rapid.T
	now    time.Time
	log    []actors.Entry
	ledger *ledger.State

	actor    *Actor
	read     int    // entries folded by the actor
	led      uint64 // last Joined folded by the shell
	mine     uint64 // the last Joined that this process wrote
	reports  []any
	snapshot []byte
	snapSeq  int

	shims   map[uint64]*Ended // what shims hold: nil while it runs
	tasks   map[uint64]Task   // what was started
	starts  map[uint64]int
	answers map[uint64]int // terminal facts that the ledger accepted
	given   []uint64       // assignments that the ledger accepted
	gone    bool
	again   bool // the host was given up for lost, and is to join again
}

func newModel(t *rapid.T) *model {
	m := &model{
		t: t, now: time.Unix(1000, 0), ledger: ledger.New(), shims: map[uint64]*Ended{}, tasks: map[uint64]Task{},
		starts: map[uint64]int{}, answers: map[uint64]int{},
	}
	m.append(&subjects.Submitted{Job: "job", Inbox: 1, Spec: spec.Job{Name: "job", Type: "job", Stages: []spec.Stage{
		{Name: "s", Argv: []string{"true"}, Tasks: modelTasks, CPU: 1, Memory: 1, Retries: 1000},
		{Name: "wide", Argv: []string{"true"}, Tasks: modelTasks, CPU: 2, Memory: 1, Retries: 1000},
	}}})
	m.append(&subjects.Admitted{Job: "job"})
	m.boot()
	return m
}

// append adds an event to the log if the server would accept it, and returns its sequence.
func (m *model) append(e subjects.Event) uint64 {
	seq := uint64(len(m.log) + 1)
	m.now = m.now.Add(100 * time.Millisecond)
	m.log = append(m.log, actors.Entry{Seq: seq, Time: m.now, Event: e})
	verdict := m.ledger.Apply(seq, m.now, e)
	if f, _ := subjects.EndOf(e); f != nil && verdict.Outcome != ledger.Void {
		m.answers[f.Attempt]++
	}
	if _, ok := e.(*subjects.Assigned); ok && verdict.Outcome != ledger.Void {
		m.given = append(m.given, seq)
	}
	return seq
}

// boot starts an agent process: it takes a term and says what shims hold.
func (m *model) boot() {
	m.actor = New(Config{Host: "h", Cores: modelSlots, Slots: modelSlots, Ahead: modelAhead})
	m.read, m.led, m.gone, m.again = 0, 0, false, false
	if m.snapshot != nil {
		if err := m.actor.Restore(m.snapshot); err != nil {
			m.t.Fatal(err)
		}
		m.read = m.snapSeq
	}
	m.claim()
	var held []Held
	for _, id := range slices.Sorted(maps.Keys(m.shims)) {
		held = append(held, Held{id, m.tasks[id].Slot})
	}
	m.reports = []any{Adopted{Attempts: held}}
}

func (m *model) claim() {
	m.mine = m.append(&subjects.Joined{Host: "h", Cores: modelSlots, Slots: modelSlots, Ahead: modelAhead, Memory: 1 << 30})
}

func (m *model) term() uint64 {
	if m.led == m.mine {
		return m.led
	}
	return 0
}

func (m *model) step(in actors.Input) actors.Output {
	m.now = m.now.Add(time.Millisecond)
	in.Now, in.Term = m.now, m.term()
	out := m.actor.Step(in)
	if in.Term != 0 {
		for _, a := range out.Actions {
			m.perform(a)
		}
	}
	return out
}

func (m *model) perform(action actors.Action) {
	switch a := action.(type) {
	case Start:
		m.starts[a.Attempt]++
		if m.starts[a.Attempt] > 1 {
			m.t.Fatalf("attempt %d is started %d times, want once", a.Attempt, m.starts[a.Attempt])
		}
		m.shims[a.Attempt], m.tasks[a.Attempt] = nil, a.Task
		m.checkSlots(a.Task)
	case Adopt:
		end, ok := m.shims[a.Attempt]
		if !ok {
			m.t.Fatalf("attempt %d is adopted, want one that a shim has", a.Attempt)
		}
		m.reports = append(m.reports, Running{Attempt: a.Attempt, At: 1})
		if end != nil {
			m.reports = append(m.reports, *end)
		}
	case Kill:
		if end, ok := m.shims[a.Attempt]; ok && end == nil {
			m.end(a.Attempt, Ended{Attempt: a.Attempt, Outcome: Evicted, Reason: a.Reason})
		}
	case Drop:
		delete(m.shims, a.Attempt)
	case Forget:
		delete(m.shims, a.Attempt)
	case Gone:
		m.gone = true
	case Rejoin:
		m.again = true
	}
}

// checkSlots: what runs never takes more slots than there are, and no shim runs
// two tasks.
func (m *model) checkSlots(last Task) {
	used, shared := uint32(0), false
	for id, end := range m.shims {
		if end != nil {
			continue
		}
		if m.tasks[id].Part > 0 { // tasks that share a slot have a shim each
			shared = true
			continue
		}
		used += m.tasks[id].Width
		if id != last.Attempt && m.tasks[id].Slot == last.Slot {
			m.t.Fatalf("slot %d is given to attempt %d while it runs %d, want it free", last.Slot, last.Attempt, id)
		}
	}
	if used > modelSlots || last.Slot >= modelSlots && !shared {
		m.t.Fatalf("attempt %d in slot %d: slots used = %d, want at most %d", last.Attempt, last.Slot, used, modelSlots)
	}
}

func (m *model) end(id uint64, end Ended) {
	m.shims[id] = &end
	m.reports = append(m.reports, end)
}

// fold delivers the next entry of the log, if there is one.
func (m *model) fold() bool {
	if m.read == len(m.log) {
		return false
	}
	entry := m.log[m.read]
	m.read++
	if _, ok := entry.Event.(*subjects.Joined); ok {
		m.led = entry.Seq
	}
	if about(entry.Event) {
		m.step(actors.Input{Entry: &entry})
	}
	return true
}

// about reports whether an event passes the host's filter.
func about(e subjects.Event) bool { return subjects.HostOf(e) == "h" }

func (m *model) reportNext() bool {
	if len(m.reports) == 0 {
		return false
	}
	r := m.reports[0]
	m.reports = m.reports[1:]
	m.step(actors.Input{Report: r})
	return true
}

// decide runs the actor's decisions. The log may be longer than what the actor has read; its batch
// is then still in the right term.
func (m *model) decide(lost bool) bool {
	if m.term() == 0 || m.ledger.Host("h").Term != m.term() {
		return false
	}
	out := m.step(actors.Input{Decide: true})
	for _, e := range out.Events {
		m.append(e)
	}
	if lost && len(out.Events) > 0 {
		m.led = 0 // the acknowledgement did not come: a new term settles it
		m.claim()
		return true
	}
	for range out.Events { // nothing is decided before the echo
		for m.fold() {
		}
	}
	return len(out.Events) > 0
}

func (m *model) settleDown() {
	for busy := true; busy; {
		busy = m.fold()
		busy = m.reportNext() || busy
		busy = m.decide(false) || busy
	}
}

func TestEveryAttemptIsStartedAtMostOnceAndAnsweredOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(t)
		t.Repeat(map[string]func(*rapid.T){
			"fold": func(t *rapid.T) {
				for range rapid.IntRange(1, 40).Draw(t, "entries") {
					m.fold()
				}
			},
			"report":                         func(*rapid.T) { m.reportNext() },
			"work":                           func(*rapid.T) { m.settleDown() },
			"work more":                      func(*rapid.T) { m.settleDown() },
			"assign again":                   m.assign,
			"decide":                         func(*rapid.T) { m.decide(false) },
			"decide, and the answer is lost": func(*rapid.T) { m.decide(true) },
			"assign":                         m.assign,
			"revoke":                         m.revoke,
			"end":                            m.endSome,
			"gate":                           m.gate,
			"snapshot": func(*rapid.T) {
				b, err := m.actor.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				m.snapshot, m.snapSeq = b, m.read
			},
			"agent crashes": func(*rapid.T) { m.boot() },
			"machine crashes": func(*rapid.T) {
				clear(m.shims)
				m.boot()
			},
			"": func(t *rapid.T) {
				for id, n := range m.answers {
					if n > 1 {
						t.Fatalf("attempt %d is answered %d times, want at most once", id, n)
					}
				}
			},
		})
		m.finish(t)
	})
}

// finish ends every attempt and checks that nothing is owed.
func (m *model) finish(t *rapid.T) {
	m.append(&subjects.Resumed{Host: "h"})
	m.settleDown()
	m.reports = append(m.reports, Leave{})
	m.settleDown()
	for _, id := range m.given {
		if m.answers[id] != 1 {
			t.Fatalf("attempt %d was answered %d times, want once", id, m.answers[id])
		}
	}
	if !m.gone {
		t.Fatal("the host has not left, want it gone")
	}
	if len(m.shims) != 0 {
		t.Fatalf("shims still have %v, want none", slices.Sorted(maps.Keys(m.shims)))
	}
}

// assign is the slotter's part: any task to any place, of which the ledger takes
// what fits.
func (m *model) assign(t *rapid.T) {
	h := m.ledger.Host("h")
	task := rapid.Uint32Range(0, modelTasks-1).Draw(t, "task")
	stage := rapid.Uint32Range(0, 3).Draw(t, "stage") / 3 // one of four is wide
	slot := rapid.Uint32Range(0, modelSlots+modelAhead-1).Draw(t, "slot")
	m.append(&subjects.Assigned{
		Host: "h", Job: "job", TaskID: subjects.TaskID{Stage: stage, Task: task}, Term: h.Term, Try: 1, Slot: slot, Width: 1 + stage,
	})
}

func (m *model) revoke(t *rapid.T) {
	if attempts := m.ledger.Host("h").Attempts(); len(attempts) > 0 {
		a := rapid.SampledFrom(attempts).Draw(t, "attempt")
		m.append(&subjects.Revoked{Host: "h", Job: "job", Attempt: a.ID})
	}
}

func (m *model) endSome(t *rapid.T) {
	for _, id := range slices.Sorted(maps.Keys(m.shims)) {
		if m.shims[id] == nil && rapid.Bool().Draw(t, "ends") {
			outcome := rapid.SampledFrom([]Outcome{Finished, Failed, Declined, Evicted}).Draw(t, "outcome")
			m.end(id, Ended{Attempt: id, Outcome: outcome, Reason: subjects.ReasonExit})
		}
	}
}

func (m *model) gate(t *rapid.T) {
	m.append(rapid.SampledFrom([]subjects.Event{
		&subjects.Paused{Host: "h"}, &subjects.Drained{Host: "h"}, &subjects.Resumed{Host: "h"}, &subjects.Resumed{Host: "h"},
	}).Draw(t, "gate"))
}
