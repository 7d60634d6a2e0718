package slotter

import (
	"testing"
	"time"

	"lull/subjects"
)

// An attempt that wrote its checkpoint has less to lose than one that has just begun.
func TestVictimsLoseWhatTheyDidSinceTheirCheckpoint(t *testing.T) {
	p := newPool(t, Config{Policy: PolicyFIFO})
	p.join("a", 2, 1000, 2)
	st := tasks("one", 2)
	st.Estimate = 100 * time.Second
	p.submit("job", 0, st)
	p.settle()
	p.pass(50)
	h := p.a.hosts.of["a"]
	first := h.life.Attempts()[0]
	b := &subjects.Beat{Host: "a", Term: h.life.Term, Seq: p.seq, Saved: []subjects.Saved{{Attempt: first.ID, At: p.now.Add(-5 * time.Second).UnixNano()}}}
	for _, at := range h.life.Attempts() {
		b.Attempts = append(b.Attempts, at.ID)
	}
	p.sample(b)
	victims := newVictims(p.a.facts).rooms[0].Victims
	if len(victims) != 2 || victims[0].Attempt != first {
		t.Fatalf("%+v, want attempt %d to lose the least", victims, first.ID)
	}
	for i, want := range []int64{5000, 50000} { // milliseconds of a core
		if lost := victims[i].Lost; lost < want-want/20 || lost > want+want/20 {
			t.Errorf("attempt %d loses %d, want about %d", victims[i].Attempt.ID, lost, want)
		}
	}
}
