package actor

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lull/subjects"
	"lull/subjects/forged"
	"lull/subjects/spec"
)

// Whatever stands in the log about a host, no shim runs two tasks, none is left behind, and the host
// runs the next task.
func TestAHostileLogIsSurvived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 0))
		m := newModel(t)
		forger := forged.New(seed, m.ledger)
		for range 40 {
			for range rng.IntN(6) {
				m.forge(forger)
				m.assignAny(rng)
			}
			m.settleDown()
			m.regain(rng)
			m.endAny(rng)
		}
		m.checkBounds()
		m.claim()
		m.append(&subjects.Resumed{Host: "h"})
		m.settleDown()
		m.checkLeft()
		m.runsNext()
	})
}

// forge appends an event about the host. Others do not reach it.
func (m *model) forge(forger *forged.Forger) {
	for {
		if e := forger.Event(); about(e) {
			m.append(e)
			return
		}
	}
}

// assignAny gives the host a task of its job, as the slotter does.
func (m *model) assignAny(rng *rand.Rand) {
	m.append(&subjects.Assigned{
		Host: "h", Job: "job", TaskID: subjects.TaskID{Task: rng.Uint32N(modelTasks)}, Term: m.ledger.Host("h").Term,
		Try: 1, Slot: rng.Uint32N(modelSlots + modelAhead), Width: 1,
	})
}

// regain opens a new term if the host has lost its own, by a new agent or the same one.
func (m *model) regain(rng *rand.Rand) {
	switch {
	case m.again || m.gone:
		m.snapshot, m.snapSeq = m.saved(), m.read
		m.boot()
	case m.term() != 0:
	case rng.IntN(2) == 0:
		m.claim()
	default:
		m.boot()
	}
	m.settleDown()
}

func (m *model) saved() []byte {
	b, err := m.actor.Snapshot()
	if err != nil {
		m.t.Fatal(err)
	}
	return b
}

// endAny ends some of the tasks that run.
func (m *model) endAny(rng *rand.Rand) {
	for _, id := range slices.Sorted(maps.Keys(m.shims)) {
		if m.shims[id] == nil && rng.IntN(3) == 0 {
			m.end(id, Ended{Attempt: id, Outcome: Outcome(rng.IntN(4)), Reason: subjects.ReasonExit, Run: subjects.Run{Seconds: 1}})
		}
	}
	m.settleDown()
}

func (m *model) checkBounds() {
	if n := len(m.actor.models.known); n > maxKnown {
		m.t.Errorf("models kept = %d, want at most %d", n, maxKnown)
	}
	if n := len(m.actor.pace.jobs); n > maxPaced {
		m.t.Errorf("jobs with a pace = %d, want at most %d", n, maxPaced)
	}
}

// checkLeft: each task that runs is one that the actor knows, so that its end will be reported.
func (m *model) checkLeft() {
	for id, end := range m.shims {
		if m.actor.attempt(id) == nil {
			m.t.Errorf("a shim has attempt %d, with end %+v, and the actor knows of none: it would stay for ever", id, end)
		}
	}
}

// takeBackUnheld revokes the attempts that the host does not hold, as the slotter does.
func (m *model) takeBackUnheld() {
	for _, at := range slices.Clone(m.ledger.Host("h").Attempts()) {
		if m.actor.attempt(at.ID) == nil {
			m.append(&subjects.Revoked{Host: "h", Job: at.Job.ID, Attempt: at.ID, Unheld: true, Stage: at.Task.Stage, Task: at.Task.Task})
		}
	}
	m.settleDown()
}

// endAll ends what runs. It reports whether anything did: the end of one task may be the beginning of another.
func (m *model) endAll() (some bool) {
	for _, id := range slices.Sorted(maps.Keys(m.shims)) {
		if m.shims[id] == nil {
			m.end(id, Ended{Attempt: id, Outcome: Finished})
			some = true
		}
	}
	return some
}

// runsNext runs a task of another job to its end, after what runs has ended.
func (m *model) runsNext() {
	for m.endAll() {
		m.settleDown()
	}
	m.takeBackUnheld()
	m.append(&subjects.Submitted{Job: "next", Spec: spec.Job{Name: "next", Type: "next", Stages: []spec.Stage{
		{Name: "s", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1},
	}}})
	m.append(&subjects.Admitted{Job: "next"})
	id := m.append(&subjects.Assigned{Host: "h", Job: "next", Term: m.ledger.Host("h").Term, Try: 1, Width: 1})
	m.settleDown()
	if m.starts[id] != 1 {
		m.t.Fatalf("the next task was started %d times, want once; then came %+v", m.starts[id], m.log[id].Event)
	}
	m.end(id, Ended{Attempt: id, Outcome: Finished})
	m.settleDown()
	if m.answers[id] != 1 {
		m.t.Errorf("the next task was answered %d times, want once", m.answers[id])
	}
}
