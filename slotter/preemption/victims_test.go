package preemption

import (
	"testing"
	"time"

	"lull/slotter/facts"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// An attempt that wrote its checkpoint has less to lose than one that has just begun.
func TestVictimsLoseWhatTheyDidSinceTheirCheckpoint(t *testing.T) {
	curve := tct.Default(100 * time.Second)
	began := int64(1e18)
	at := &facts.Attempt{Life: &ledger.Attempt{Assigned: began, Width: 1}, Curve: curve, Rate: facts.RateOf(curve, 1), Since: began}
	now := began + 50e9
	for _, c := range []struct{ saved, want int64 }{{0, 50_000}, {began, 50_000}, {now - 5e9, 5000}, {now + 1, 0}} {
		if got := lost(at, now, c.saved); got < c.want-c.want/20 || got > c.want+c.want/20 {
			t.Errorf("after 50 s, saved at %d s, an attempt loses %d ms of a core, want about %d", (c.saved-began)/1e9, got, c.want)
		}
	}
	later := began + 500e9
	if got := lost(at, later, 0); got != 100_000 {
		t.Errorf("an attempt that takes longer than predicted loses %d ms of a core, want those of its task", got)
	}
}
