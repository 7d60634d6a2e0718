package pressure

import (
	"slices"
	"testing"
	"time"
)

func TestWhatTheGuardDidIsReadFromItsLog(t *testing.T) {
	l, onset := newLines(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, text := range []string{
		`{"time":"2026-01-02T03:04:04Z","level":"INFO","msg":"guard: batch work is held back","took":1000}` + "\n",
		`{"time":"2026-01-02T03:04:06Z","level":"INFO","msg":"guard: batch work has all of the host again","took":1}` + "\n",
		`{"time":"2026-01-02T03:04:05.1Z","level":"INFO","msg":"guard: batch `, // broken in two
		`work is held back","to":"1 of 2 cores","took":2000000}` + "\n",
	} {
		if n, err := l.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatalf("Write(%q) = %d, %v, want all of it written", text, n, err)
		}
	}
	a, ok := l.heldBack(t.Context(), onset, time.Minute)
	if !ok || a.took != 2*time.Millisecond || a.noticed.Sub(onset) != 98*time.Millisecond {
		t.Errorf("heldBack(one minute) = %+v, %v, want an action of 2 ms, noticed after 98 ms", a, ok)
	}
	if a, ok := l.heldBack(t.Context(), onset, time.Nanosecond); ok {
		t.Errorf("heldBack() of the same onset again = %+v, want none", a)
	}
}

func TestReactionsCountWhatWasMissed(t *testing.T) {
	var r reactions
	at := time.Now()
	r.add(at, action{at.Add(90 * time.Millisecond), time.Millisecond}, true)
	r.add(at, action{}, false)
	report := r.report(&pressing{})
	if got := []float64{report.Checks[0].Value, report.Checks[1].Value, report.Checks[2].Value}; !slices.Equal(got, []float64{1, 91, 1}) {
		t.Errorf("checks of one reaction and one missed = %v, want 1, 91, 1", got)
	}
}
