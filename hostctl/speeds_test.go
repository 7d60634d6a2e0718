package hostctl

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// For a paced task that reports its progress, telemetry uses the units of that progress.
func TestAHostTellsHowFastItsTasksRead(t *testing.T) {
	w := newWorld(t)
	samples, err := w.Bus.Listen(t.Context(), w.Bus.Pool().Speed("*"))
	check(t, err)
	h := w.host(w.config("a"))
	w.Submit("j", spec.Stage{Argv: sh(`n=0; while :; do n=$((n+100)); echo $n >> "$LULL_PROGRESS"; sleep 0.05; done`)})
	at := h.assign("j", 0, 0, 0)
	next[*subjects.Started](w, nil)
	h.pacedTo(1000)
	for deadline := time.After(patience); ; {
		select {
		case d := <-samples:
			sample, err := subjects.DecodeTelemetry(w.Bus.Pool(), d.Subject, d.Body)
			check(t, err)
			s := sample.(*subjects.Speeds)
			if len(s.Tasks) != 1 || s.Host != "a" || s.Tasks[0].Attempt != at {
				t.Fatalf("Speeds = %+v, want one of attempt %d on a", s, at)
			}
			if task := s.Tasks[0]; task.Rate > 0 && task.Reference > 999 {
				return
			}
		case <-deadline:
			t.Fatal("no speed in time, want one")
		}
	}
}
