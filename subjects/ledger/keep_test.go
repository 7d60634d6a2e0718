package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// done folds a job's submission, verdict and end.
func (sc *script) done(id string, at time.Time) {
	sc.t.Helper()
	for _, e := range []subjects.Event{&subjects.Submitted{Job: id, Spec: twoStages()}, &subjects.Admitted{Job: id}, &subjects.Cancelled{Job: id}} {
		if v := sc.s.Apply(sc.s.Seq+1, at, e); v.Outcome == Void {
			sc.t.Fatalf("Apply(%T of %s) is void: %s, want it accepted", e, id, v.Why)
		}
	}
}

func (sc *script) whole(id string) bool {
	j := sc.s.Job(id)
	return j != nil && len(j.Stages) > 0
}

// Ten thousand invalid documents made the pool forget a job that had just finished, and
// hosts delete its outputs.
func TestRejectionsForgetNoJobThatRan(t *testing.T) {
	sc := &script{t, New()}
	sc.done("ran", time.Unix(1, 0))
	for i := range keepRejected + 2 {
		sc.must(&subjects.Rejected{Job: fmt.Sprint("r", i)})
	}
	if !sc.whole("ran") {
		t.Error("job ran lost its tasks to rejections, want it whole")
	}
	if sc.s.Job("r1") != nil || sc.s.Job("r2") == nil || sc.s.Jobs().Len() != keepRejected+1 {
		t.Errorf("%d jobs are kept, want the last %d rejections and the job that ran", sc.s.Jobs().Len(), keepRejected)
	}
}

func TestRejectionsAreBoundedInBytes(t *testing.T) {
	sc := &script{t, New()}
	large := twoStages()
	large.Stages[0].Argv = []string{strings.Repeat("x", 90_000)}
	for i := range 400 {
		id := fmt.Sprint("r", i)
		sc.must(&subjects.Submitted{Job: id, Spec: large}, &subjects.Rejected{Job: id})
	}
	if n := sc.s.Jobs().Len(); n == 0 || n*90_000 > rejectedBytes {
		t.Errorf("rejected jobs of 90 kB kept = %d, want 1 to %d", n, rejectedBytes/90_000)
	}
	if sc.s.Job("r399") == nil {
		t.Error("job r399 is forgotten, want the last rejection kept for its sender's verdict")
	}
}

func TestJobsAreKeptForADayAndForgottenBeyondTheirNumber(t *testing.T) {
	sc := &script{t, New()}
	start := time.Unix(1_000_000, 0)
	for i := range keepJobs + 2 {
		sc.done(fmt.Sprint("j", i), start)
	}
	if !sc.whole("j0") {
		t.Fatal("job j0 is forgotten on the day that it ended, want it whole")
	}
	sc.done("next", start.Add(KeepFor))
	if sc.s.Job("j2") != nil || sc.s.Job("j3") == nil || sc.s.Jobs().Len() != keepJobs {
		t.Errorf("a day later %d jobs are kept, want the last %d", sc.s.Jobs().Len(), keepJobs)
	}
}

// A job that was submitted first and ends last is forgotten last.
func TestJobsAreForgottenInTheOrderOfTheirEnds(t *testing.T) {
	sc := &script{t, New()}
	sc.must(&subjects.Submitted{Job: "long", Spec: twoStages()})
	for i := range keepJobs {
		sc.done(fmt.Sprint("j", i), time.Unix(1, 0))
	}
	sc.must(&subjects.Cancelled{Job: "long"})
	sc.done("next", time.Unix(0, 0).Add(2*KeepFor))
	if !sc.whole("long") || sc.s.Job("j0") != nil {
		t.Errorf("long whole %v, j0 %+v, want the job that ended last whole and the first one forgotten", sc.whole("long"), sc.s.Job("j0"))
	}
}

// heavy ends a job that takes more than a third of keepBytes.
func (sc *script) heavy(id string) {
	sc.t.Helper()
	j := twoStages()
	j.Stages[0].Tasks = keepBytes/taskBytes/3 + 1
	sc.must(&subjects.Submitted{Job: id, Spec: j}, &subjects.Admitted{Job: id}, &subjects.Cancelled{Job: id})
}

func TestBeyondTheBytesOldJobsLeaveASummary(t *testing.T) {
	sc := &script{t, New()}
	for _, id := range []string{"old", "mid", "new"} {
		sc.heavy(id)
	}
	if j := sc.s.Job("old"); j == nil || j.Stages != nil || j.Name != "job" {
		t.Errorf("job old = %+v, want a summary: a name and no stages", j)
	}
	if !sc.whole("mid") || !sc.whole("new") {
		t.Errorf("mid, new whole = %v, %v, want true, true", sc.whole("mid"), sc.whole("new"))
	}
	if v := sc.say(&subjects.Retried{Job: "old"}); v.Why != "only a summary of the job is left" {
		t.Errorf("Retried of a summary = %+v, want void", v)
	}
}

// Which job is forgotten next must not depend on restarts.
func TestARestoredStateForgetsAlike(t *testing.T) {
	sc := &script{t, New()}
	for _, id := range []string{"old", "mid", "new"} {
		sc.heavy(id)
	}
	sc.must(&subjects.Retried{Job: "mid"}, &subjects.Cancelled{Job: "mid"}) // it is the youngest now
	again := New()
	if err := again.Restore(snapshotOf(t, sc.s)); err != nil {
		t.Fatal(err)
	}
	sc.heavy("last")
	restored := &script{t, again}
	restored.heavy("last")
	for _, s := range []*script{sc, restored} {
		if s.whole("old") || s.whole("new") || !s.whole("mid") || !s.whole("last") {
			t.Errorf("want old and new as summaries, mid and last whole: got whole %v, %v, %v, %v", s.whole("old"), s.whole("new"), s.whole("mid"), s.whole("last"))
		}
	}
}

// A single job that takes more than keepBytes can be read after its end, too.
func TestTheLastJobIsKeptWhole(t *testing.T) {
	sc := &script{t, New()}
	j := twoStages()
	j.Stages[0].Tasks = keepBytes/taskBytes + 1
	sc.must(&subjects.Submitted{Job: "huge", Spec: j}, &subjects.Cancelled{Job: "huge"})
	if !sc.whole("huge") {
		t.Fatal("job huge is a summary as soon as it ends, want it whole")
	}
	sc.done("next", time.Unix(10, 0))
	if sc.whole("huge") || !sc.whole("next") {
		t.Errorf("huge, next whole = %v, %v, want false, true", sc.whole("huge"), sc.whole("next"))
	}
}

// A job with running attempts keeps its tasks, because the attempts point to them.
func TestAJobWithAttemptsIsNotForgotten(t *testing.T) {
	sc := &script{t, New()}
	sc.must(running()...)
	sc.must(&subjects.Cancelled{Job: "j"})
	for i := range 4 {
		sc.heavy(fmt.Sprint("x", i))
	}
	if !sc.whole("j") {
		t.Fatal("job j is a summary while an attempt is left, want it whole")
	}
	sc.must(finished)
	if len(sc.s.ended.jobs) != 5 {
		t.Errorf("jobs that are over = %d after the last attempt of j, want 5", len(sc.s.ended.jobs))
	}
}

// The byte counts of a list of ended jobs equal the sums of its jobs' weights.
func TestEndedJobsCountTheirBytes(t *testing.T) {
	sc := &script{t, New()}
	for i := range 8 {
		sc.heavy(fmt.Sprint("h", i))
		sc.must(&subjects.Rejected{Job: fmt.Sprint("r", i)}, &subjects.Retried{Job: fmt.Sprint("h", i)}, &subjects.Cancelled{Job: fmt.Sprint("h", i)})
	}
	for _, h := range []*endedJobs{&sc.s.ended, &sc.s.rejects} {
		whole, summaries := 0, 0
		for i, j := range h.jobs {
			if i < h.summaries {
				summaries += j.weight()
			} else {
				whole += j.weight()
			}
		}
		if whole != h.wholeBytes || summaries != h.summaryBytes {
			t.Errorf("whole, summaries counted = %d, %d, want %d, %d as the jobs weigh", h.wholeBytes, h.summaryBytes, whole, summaries)
		}
	}
}
