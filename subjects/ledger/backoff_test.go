package ledger

import (
	"slices"
	"testing"
	"time"

	"lull/subjects"
)

// again gives task 0 away once more and returns the fact of that attempt.
func (sc *script) again() subjects.Fact {
	sc.t.Helper()
	sc.must(given)
	return subjects.Fact{Term: 1, Attempt: sc.s.Seq}
}

// wait is for how long task 0 is not given away, from the last entry on.
func (sc *script) wait() time.Duration {
	at := sc.s.Job("j").Stages[0].Delayed(0)
	if at == 0 {
		return 0
	}
	return time.Unix(0, at).Sub(time.Unix(int64(sc.s.Seq), 0))
}

func (sc *script) decline() time.Duration {
	sc.t.Helper()
	sc.must(&subjects.Declined{Host: "h", Job: "j", Fact: sc.again(), Reason: subjects.ReasonDisk})
	return sc.wait()
}

func TestDeclinesBackOffFurtherEachTime(t *testing.T) {
	sc := script{t, New()}
	sc.must(joined, other, submitted, admitted)
	var waits []time.Duration
	for range 9 {
		waits = append(waits, sc.decline()/time.Second)
	}
	if want := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60}; !slices.Equal(waits, want) {
		t.Errorf("waited for %v s, want %v", waits, want)
	}
	if _, _, tries := sc.s.Job("j").Stages[0].Task(0); tries != 9 {
		t.Errorf("tries of task 0 = %d, want 9", tries)
	}
	sc.must(&subjects.Evicted{Host: "h", Job: "j", Fact: sc.again(), Reason: subjects.ReasonVanished})
	if wait := sc.wait(); wait != time.Minute {
		t.Errorf("after an attempt that vanished the task waits for %v, want 1m", wait)
	}
	sc.must(&subjects.Evicted{Host: "h", Job: "j", Fact: sc.again(), Reason: subjects.ReasonReserve})
	if wait := sc.wait(); wait != 0 {
		t.Errorf("wait after an eviction for the reserve = %v, want 0", wait)
	}
	if wait := sc.decline(); wait != time.Second {
		t.Errorf("after an attempt that ran, a decline costs %v, want 1s again", wait)
	}
}

func TestDeclinesSurviveASnapshot(t *testing.T) {
	sc := script{t, New()}
	sc.must(joined, other, submitted, admitted)
	sc.decline()
	sc.decline()
	b, err := sc.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored := script{t, New()}
	if err := restored.s.Restore(b); err != nil {
		t.Fatal(err)
	}
	if a, b := sc.decline(), restored.decline(); a != 4*time.Second || a != b {
		t.Errorf("the third decline costs %v, and %v after a restart; want 4s", a, b)
	}
}

func TestWaitingDoesNotHelpAMissingCommand(t *testing.T) {
	for reason, want := range map[string]time.Duration{
		subjects.ReasonExit: time.Second, subjects.ReasonNotFound: 0, subjects.ReasonInput: 0,
	} {
		sc := script{t, New()}
		sc.must(joined, other, submitted, admitted)
		sc.must(&subjects.Failed{Host: "h", Job: "j", Fact: sc.again(), Reason: reason})
		if got := sc.wait(); got != want {
			t.Errorf("%s: the retry waits for %v, want %v", reason, got, want)
		}
		sc.must(&subjects.Failed{Host: "h", Job: "j", Fact: sc.again(), Reason: reason})
		if _, dead := sc.s.Job("j").Dead(); !dead {
			t.Errorf("after a failure for %s the task may be retried, want its only retry used", reason)
		}
	}
}

func TestTurnsSaturate(t *testing.T) {
	var n attemptCounts
	for range 1 << 16 {
		n = n.addTry().addDecline()
	}
	if n.tries() != maxTries || n.backoff() != lastBackoff {
		t.Errorf("tries, backoff at their bounds = %d, %d ns, want %d, %d", n.tries(), n.backoff(), maxTries, lastBackoff)
	}
}
