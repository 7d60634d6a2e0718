package ledger

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
	"lull/subjects/spec"
)

// step folds the next event and checks what must hold around it.
func (w *world) step() {
	e := w.next()
	w.now += int64(w.n(0, 3))
	w.seq += uint64(w.n(1, 2))
	w.apply(e)
	if w.chance(5) {
		if v := w.s.Apply(w.seq-uint64(w.n(0, 3))%w.seq, time.Unix(0, w.now), e); v.Outcome != Void {
			w.t.Fatalf("Apply(%T, an earlier sequence) = %+v, want void", e, v)
		}
	}
}

func (w *world) apply(e subjects.Event) {
	w.log = append(w.log, e)
	done, ended := w.done(), w.ended()
	before, held, phases := w.s.meaning(w.t), w.holders(), w.phases()
	v := w.s.Apply(w.seq, time.Unix(0, w.now), e)
	if err := w.s.broken(); err != nil {
		w.t.Fatalf("invariants after %T %+v: %v", e, e, err)
	}
	if v.Outcome == Void && before != w.s.meaning(w.t) {
		w.t.Fatalf("Apply(%T %+v) is void (%s) and changed the state, want it unchanged", e, e, v.Why)
	}
	w.checkChange(e, v, held, phases)
	w.checkCommit(e, v.Verdict, done)
	w.checkEnded(e, ended)
	w.checkMemory(e, v.Verdict)
	w.checkPlace(e, v.Verdict)
}

// holders are the attempts that are known, and whether each holds its task.
func (w *world) holders() map[uint64]bool {
	holds := map[uint64]bool{}
	for id, a := range w.s.attempts.all() {
		holds[id] = a.Holds()
	}
	return holds
}

func (w *world) phases() map[string]Phase {
	phases := map[string]Phase{}
	for id, j := range w.s.jobs {
		phases[id] = j.Phase
	}
	return phases
}

// checkChange compares the reported change of an entry with the states before and after it.
func (w *world) checkChange(e subjects.Event, c Change, held map[uint64]bool, phases map[string]Phase) {
	if c.Attempt != nil {
		was, known := held[c.Attempt.ID]
		if c.Held != was || c.Ended != (known && w.s.attempts.find(c.Attempt.ID) == nil) || known == (c.Attempt.ID == w.seq) {
			w.t.Fatalf("%T %+v: the change of attempt %d, known %v, held %v, is %+v", e, e, c.Attempt.ID, known, was, c)
		}
	}
	if c.Job != nil && (c.Before != phases[c.Job.ID] || c.After != c.Job.Phase) {
		w.t.Fatalf("%T %+v: the change is %+v, want from %v to %v", e, e, c, phases[c.Job.ID], c.Job.Phase)
	}
	gone := 0
	for id := range held {
		if w.s.attempts.find(id) == nil {
			gone++
		}
	}
	if ended := c.Ended; gone > 1 && subjects.AttemptOf(e) != 0 || ended && gone == 0 {
		w.t.Fatalf("%T %+v: the change is %+v, and %d attempts are gone", e, e, c, gone)
	}
}

// meaning is the state's bytes but for how far it has read, which even void
// events move.
func (s *State) meaning(t *rapid.T) string {
	seq, inbox, time := s.Seq, s.Inbox, s.clock
	s.Seq, s.Inbox, s.clock = 0, 0, clock{}
	defer func() { s.Seq, s.Inbox, s.clock = seq, inbox, time }()
	return string(snapshotOf(t, s))
}

func snapshotOf(t rapid.TB, s *State) []byte {
	b, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// key names a task.
func key(j *Job, stage int, task uint32) string { return fmt.Sprint(j.ID, j.Seq, stage, task) }

func (w *world) done() map[string]bool {
	done := map[string]bool{}
	for j := range w.s.order.All() {
		for i, st := range j.Stages {
			for k := range uint32(st.Len()) {
				done[key(j, i, k)] = st.state(k) == Done
			}
		}
	}
	return done
}

// repeated lists the tasks that an event opens again although they are done: a retry does so in stages that
// may run because of a failure.
func (w *world) repeated(e subjects.Event, v Verdict) map[string]bool {
	list := map[string]bool{}
	retried, ok := e.(*subjects.Retried)
	if !ok || v.Outcome == Void {
		return list
	}
	j := w.s.jobs[retried.Job]
	for i, st := range j.Stages {
		for k := range uint32(st.Len()) {
			list[key(j, i, k)] = j.Shape.Stages[i].When != spec.WhenSuccess
		}
	}
	return list
}

func (w *world) ended() map[string]Phase {
	ended := map[string]Phase{}
	for j := range w.s.order.All() {
		if j.Phase.Ended() {
			ended[j.ID] = j.Phase
		}
	}
	return ended
}

// checkCommit: only an open task is committed, and only outputs that are lost or missing open one that
// was, and a retry that of a stage which runs because of a failure.
func (w *world) checkCommit(e subjects.Event, v Verdict, before map[string]bool) {
	after := w.done()
	_, lost := e.(*subjects.OutputLost)
	_, missing := e.(*subjects.OutputMissing)
	repeated := w.repeated(e, v)
	for key, was := range before {
		if was && !after[key] && !lost && !missing && !repeated[key] {
			w.t.Fatalf("%T reopened task %s, want it done as before", e, key)
		}
		if was && after[key] && repeated[key] {
			w.t.Fatalf("%T left task %s done, want it open again", e, key)
		}
		if !was && after[key] && v.Outcome != Committed {
			w.t.Fatalf("%T closed task %s with %+v, want a commit", e, key, v)
		}
	}
	if f, ok := e.(*subjects.Finished); ok && v.Outcome == Committed {
		j := w.s.jobs[f.Job]
		if key := key(j, int(f.Stage), f.Task); before[key] || !after[key] {
			w.t.Fatalf("task %s was done %v, is done %v, want false, true after its commit", key, before[key], after[key])
		}
	}
}

func (w *world) checkEnded(e subjects.Event, before map[string]Phase) {
	if _, ok := e.(*subjects.Retried); ok {
		return
	}
	for id, phase := range before {
		if w.s.jobs[id].Phase != phase {
			w.t.Fatalf("%T moved job %s from %s to %s, want no change", e, id, phase, w.s.jobs[id].Phase)
		}
	}
}

// checkMemory: an assignment never promises more than there is.
func (w *world) checkMemory(e subjects.Event, v Verdict) {
	if a, ok := e.(*subjects.Assigned); ok && v.Outcome == Accepted && w.s.hosts[a.Host].FreeMemory() < 0 {
		w.t.Fatalf("free memory of host %s = %d, want at least 0", a.Host, w.s.hosts[a.Host].FreeMemory())
	}
}

// checkPlace: a task of many cores gets slots, one of a single core any place.
func (w *world) checkPlace(e subjects.Event, v Verdict) {
	a, ok := e.(*subjects.Assigned)
	if !ok || v.Outcome != Accepted {
		return
	}
	h := w.s.hosts[a.Host]
	within := a.Slot+a.Width <= h.Joined.Slots
	if ahead := a.Width == 1 && a.Slot < h.Joined.Slots+h.Joined.Ahead; !within && !ahead {
		w.t.Fatalf("slots %d+%d were given, want them within %d, or one of %d ahead", a.Slot, a.Width, h.Joined.Slots, h.Joined.Ahead)
	}
}

func TestAnyOrderOfEventsLeavesTheLedgerConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for range rapid.IntRange(1, 150).Draw(t, "events") {
			w.step()
		}
	})
}

func TestARestoredLedgerGoesOnAsIfItHadNotStopped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for range rapid.IntRange(0, 120).Draw(t, "before") {
			w.seq++
			w.now++
			w.s.Apply(w.seq, time.Unix(0, w.now), w.next())
		}
		restored := New()
		if err := restored.Restore(snapshotOf(t, w.s)); err != nil {
			t.Fatal(err)
		}
		if err := restored.broken(); err != nil {
			t.Fatalf("invariants after Restore: %v", err)
		}
		for range rapid.IntRange(0, 200).Draw(t, "after") {
			e := w.next()
			w.seq++
			w.now++
			v, again := w.s.Apply(w.seq, time.Unix(0, w.now), e), restored.Apply(w.seq, time.Unix(0, w.now), e)
			if v.Verdict != again.Verdict || v.Before != again.Before || v.After != again.After || v.Held != again.Held || v.Ended != again.Ended {
				t.Fatalf("Apply(%T) = %+v, and %+v to the restored state, want the same", e, v, again)
			}
			w.log = append(w.log, e)
		}
		if !bytes.Equal(snapshotOf(t, w.s), snapshotOf(t, restored)) {
			t.Fatal("snapshots of the state and of the restored one differ, want the same bytes")
		}
	})
}

func TestADamagedSnapshotIsRefusedOrHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for range 100 {
			w.seq++
			w.s.Apply(w.seq, time.Unix(0, w.now), w.next())
		}
		b := snapshotOf(t, w.s)
		for range rapid.IntRange(1, 8).Draw(t, "flips") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		}
		s := New()
		if err := s.Restore(b); err != nil {
			return
		}
		// Damage that still reads as a state may be any state, but a total one.
		for i := range rapid.IntRange(0, 40).Draw(t, "after") {
			s.Apply(s.Seq+1, time.Unix(0, int64(i)), w.next())
		}
	})
}
