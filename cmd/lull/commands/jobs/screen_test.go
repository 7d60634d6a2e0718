package jobs

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"lull/client/progress"
	"lull/cmd/lull/commands/draw"
	"lull/subjects/ledger"
	"lull/test/pty"
)

func TestATerminalDoesNotShowWhatIsTypedWhileProgressIsDrawn(t *testing.T) {
	var out bytes.Buffer
	_, tty := pty.Open(t)
	d := &drawing{Painter: draw.NewPainter(&out, colorprofile.ASCII, func() int { return 80 }), tty: tty}
	d.close()
	for range 2 {
		d.show(progress.View{Job: "j", Phase: ledger.Admitted, Now: now})
		if pty.Echoes(t, tty) {
			t.Error("echo of the terminal after show() = on, want off: Enter would shift the drawing")
		}
		d.close()
		if !pty.Echoes(t, tty) {
			t.Error("echo of the terminal after close() = off, want on: the shell needs it")
		}
	}
}

func TestALineIsNotRepeatedWhenNothingChanged(t *testing.T) {
	var out bytes.Buffer
	l := lines{Writer: &out}
	v := progress.View{Job: "j", Phase: ledger.Admitted, Now: now, Deadline: now.Add(time.Hour), Stages: []progress.Stage{{Name: "one", Tasks: 4}}}
	show := func(after time.Duration, done int) {
		v.Now, v.Stages[0].Done = now.Add(after), done
		l.show(v)
	}
	show(0, 0)
	show(11*time.Second, 0)
	show(22*time.Second, 0)
	show(33*time.Second, 1)
	show(progress.SameOutlineEvery+34*time.Second, 1) // a sign of life, with new times
	if got := strings.Count(out.String(), "\n"); got != 3 {
		t.Errorf("%d lines, want 3:\n%s", got, out.String())
	}
}

func TestALineWithoutTimesIsNeverRepeated(t *testing.T) {
	var out bytes.Buffer
	l := lines{Writer: &out}
	for minute := range 30 {
		l.show(progress.View{Job: "j", Phase: ledger.Submitted, Now: now.Add(time.Duration(minute) * time.Minute), Note: "waiting for the verdict of admission"})
	}
	if got := strings.Count(out.String(), "\n"); got != 1 {
		t.Errorf("%d lines, want 1:\n%s", got, out.String())
	}
}
