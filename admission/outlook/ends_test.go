package outlook

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/admission/span"
	"lull/subjects/room"
	"lull/subjects/tct"
)

func TestATaskAcrossSpansTakesAsLongAsItsParts(t *testing.T) {
	o := Expect(1, 0.5, 1, room.Reserve{})
	c := tct.Default(time.Hour)
	// 10 minutes at 0.95, 50 at 0.75, the rest of 13 minutes at 0.5.
	want := span.Micros((60 + 26) * 60e6)
	if got := o.Ends(c, 0, 0, 1); got < want-1e6 || got > want+1e6 {
		t.Errorf("Ends() = %v, want %v", got.Duration(), want.Duration())
	}
	if got := o.Ends(c, 1, 0, 1); got != span.Horizon {
		t.Errorf("end on a slot that never opens = %v, want the horizon", got.Duration())
	}
	closed := Expect(0, 0.5, 1, room.Reserve{})
	if got := closed.Opens(0, 0); got != Bounds[0] {
		t.Errorf("a slot of a busy host opens after %v, want %v", got.Duration(), Bounds[0].Duration())
	}
	if open := Expect(1, 0, 1, room.Reserve{}); open.Opens(0, Bounds[1]) != span.Horizon {
		t.Errorf("a host that leaves nothing on average opens after %v, want never", open.Opens(0, Bounds[1]).Duration())
	}
}

func TestWarpsAreTheirOwnInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weight := rapid.Float64Range(0.1, 10)
		w := Warp{spans: plain, of: [Spans]float64{weight.Draw(t, "now"), weight.Draw(t, "soon"), 1}}
		actual := span.Micros(rapid.Int64Range(0, int64(4*time.Hour/time.Microsecond)).Draw(t, "real"))
		if got := w.Real(w.Even(actual)); got < actual-20 || got > actual+20 {
			t.Fatalf("Real(Even(%d)) = %d, want it back within 20 µs", actual, got)
		}
	})
}
