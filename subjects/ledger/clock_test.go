package ledger

import (
	"testing"
	"time"

	"lull/subjects"
)

// at folds an event with a stamp.
func (sc *script) at(stamp time.Time, e subjects.Event) {
	sc.t.Helper()
	if v := sc.s.Apply(sc.s.Seq+1, stamp, e); v.Outcome == Void {
		sc.t.Fatalf("Apply(%T) is void: %s, want it accepted", e, v.Why)
	}
}

// A task whose failure was stamped a day ahead waits for its backoff, not for a day.
func TestAWrongStampKeepsNoTaskWaiting(t *testing.T) {
	sc := &script{t, New()}
	now := time.Unix(1_800_000_000, 0)
	for _, e := range running() {
		sc.at(now, e)
	}
	sc.at(now.Add(24*time.Hour), failed)
	for range backAfter {
		now = now.Add(time.Second)
		sc.at(now, &subjects.Drained{Host: "g"})
	}
	if got := sc.s.Now(); got != now.UnixNano() {
		t.Errorf("the log's time is %v, want %v", time.Unix(0, got), now)
	}
	st := sc.s.Job("j").Stages[0]
	if wait := time.Unix(0, st.Delayed(0)).Sub(now); wait > time.Second {
		t.Errorf("wait of task 0 = %v, want at most its backoff, 1s", wait)
	}
}

// One entry with a stamp in the past changes no time.
func TestAStampOfThePastIsNotTaken(t *testing.T) {
	sc := &script{t, New()}
	now := time.Unix(1_800_000_000, 0)
	sc.at(now, submitted)
	sc.at(now.Add(-24*time.Hour), admitted)
	sc.at(now.Add(time.Second), &subjects.Cancelled{Job: "j"})
	if j := sc.s.Job("j"); j.Admitted != now.UnixNano() || j.Ended != now.Add(time.Second).UnixNano() {
		t.Errorf("admitted at %v, ended at %v, want %v and a second later", time.Unix(0, j.Admitted), time.Unix(0, j.Ended), now)
	}
}

// Times noted while the clock was ahead are corrected when it goes back, also in a state
// that was restored from a snapshot in between.
func TestTimesThatWereAheadAreCorrected(t *testing.T) {
	sc := &script{t, New()}
	now := time.Unix(1_800_000_000, 0)
	sc.at(now, joined)
	sc.at(now, other)
	ahead := now.Add(24 * time.Hour)
	for _, e := range running()[2:] {
		sc.at(ahead, e)
	}
	sc.at(now.Add(time.Second), &subjects.Drained{Host: "g"})
	again := New()
	if err := again.Restore(snapshotOf(t, sc.s)); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*State{sc.s, again} {
		(&script{t, s}).at(now.Add(2*time.Second), &subjects.Resumed{Host: "g"})
		want := now.Add(2 * time.Second).UnixNano()
		if j, a := s.Job("j"), s.Attempt(5); s.Now() != want || j.Admitted != want || a.Assigned != want {
			t.Errorf("now, admitted, assigned = %v, %v, %v, want %v for all", time.Unix(0, s.Now()), time.Unix(0, j.Admitted), time.Unix(0, a.Assigned), time.Unix(0, want))
		}
	}
}

// After a pause, the first entry sets the time.
func TestAQuietPoolGoesOnWithTheTime(t *testing.T) {
	sc := &script{t, New()}
	sc.at(time.Unix(1_800_000_000, 0), joined)
	sc.at(time.Unix(1_800_300_000, 0), other)
	if h := sc.s.Host("g"); h.Since != 1_800_300_000e9 {
		t.Errorf("host g is up since %v, want %v", time.Unix(0, h.Since), time.Unix(1_800_300_000, 0))
	}
}
