package hostctl

import (
	"math"
	"testing"
	"time"

	"lull/hostctl/pacing"
	"lull/hostctl/slots"
	"lull/subjects"
	"lull/subjects/spec"
)

// A task that says how far it is, and is held to a rate, is told of in those units.
func TestAHostTellsHowFastItsTasksRead(t *testing.T) {
	w := newWorld(t)
	samples, err := w.bus.Listen(t.Context(), w.bus.Pool().Speed("*"))
	check(t, err)
	h := w.host(w.config("a"))
	w.submit("j", spec.Stage{Argv: sh(`n=0; while :; do n=$((n+100)); echo $n >> "$LULL_PROGRESS"; sleep 0.05; done`)})
	at := h.assign("j", 0, 0, 0)
	next[*subjects.Started](w, nil)
	h.pacedTo(1000)
	for deadline := time.After(patience); ; {
		select {
		case d := <-samples:
			sample, err := subjects.DecodeTelemetry(w.bus.Pool(), d.Subject, d.Body)
			check(t, err)
			s := sample.(*subjects.Speeds)
			if len(s.Tasks) != 1 || s.Host != "a" || s.Tasks[0].Attempt != at {
				t.Fatalf("%+v", s)
			}
			if task := s.Tasks[0]; task.Rate > 0 && task.Reference > 999 {
				return
			}
		case <-deadline:
			t.Fatal("nobody says how fast it is")
		}
	}
}

func TestAPulseIsOfOneSource(t *testing.T) {
	start := time.Unix(1, 0)
	r := &run{}
	r.slot = &slots.Slot{}
	for i, c := range []struct {
		read pacing.Reading
		rate float64
		ok   bool
	}{
		{pacing.Reading{}, 0, false},
		{pacing.Reading{At: start, Total: 100, From: pacing.ByReads}, 0, false},
		{pacing.Reading{At: start.Add(2 * time.Second), Total: 500, From: pacing.ByReads}, 200, true},
		{pacing.Reading{At: start.Add(2 * time.Second), Total: 500, From: pacing.ByReads}, 0, false}, // not measured since
		{pacing.Reading{At: start.Add(3 * time.Second), Total: 400, From: pacing.ByReads}, 0, false}, // a process went, with its count
	} {
		r.mu.read = c.read
		if rate, ok := r.pulse(start); ok != c.ok || math.Abs(rate-c.rate) > 1e-9 {
			t.Errorf("reading %d: %v, %v", i, rate, ok)
		}
	}
}
