package shim

import (
	"testing"
	"time"
)

// Hundreds of processes that end one after the other wake the shim as often: it kills and lists the
// rest when that is due, not at each.
func TestWhatIsLeftIsKilledWhenItIsDue(t *testing.T) {
	now := time.Now()
	killed := func(at time.Time) (killed bool) {
		defer func() { killed = recover() != nil }() // without a server there is nothing to kill with
		(&task{ended: true, clearAt: at}).killRest(nil, now)
		return false
	}
	for _, c := range []struct {
		at   time.Time
		want bool
	}{{time.Time{}, true}, {now, true}, {now.Add(time.Millisecond), false}} {
		if got := killed(c.at); got != c.want {
			t.Errorf("clear at %v, due at %v: killed %t, want %t", now, c.at, got, c.want)
		}
	}
}
