package jobs

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"lull/client/progress"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/draw"
	"lull/cmd/lull/commands/echo"
	"lull/subjects/ledger"
)

// screen is where a job's progress is shown.
type screen interface {
	io.Writer // for messages beside it
	show(progress.View)
	close()
}

// screenOf chooses how to show progress: redrawn on a terminal, line by line
// elsewhere.
func screenOf(o *cli.Output, cmd *cobra.Command) screen {
	out := cmd.OutOrStdout()
	tty, ok := cli.Terminal(out)
	if !ok {
		return &lines{Writer: out}
	}
	return &drawing{Painter: o.Painter(tty), tty: tty}
}

// drawing redraws the job's bars in place. The terminal does not show what is typed meanwhile:
// each Enter would shift them.
type drawing struct {
	*draw.Painter
	tty *os.File
	off *echo.Muted // nil until something is drawn
}

func (d *drawing) show(v progress.View) {
	if d.off == nil {
		d.off = echo.Mute(d.tty, d.Close)
	}
	d.Paint(draw.Render(v, d.Width()))
}

func (d *drawing) close() {
	d.Close()
	d.off.Restore()
	d.off = nil
}

// lines says how it goes: with each new phase, and every now and then if something changed.
type lines struct {
	io.Writer
	phase         ledger.Phase
	at            time.Time
	outline, last string
}

func (l *lines) show(v progress.View) {
	if v.Phase.Ended() || v.Phase == l.phase && v.Now.Sub(l.at) < progress.SamePhaseEvery {
		return
	}
	outline, line := progress.Outline(v), progress.Line(v)
	if outline == l.outline && v.Now.Sub(l.at) < progress.SameOutlineEvery || line == l.last {
		return
	}
	l.phase, l.at, l.outline, l.last = v.Phase, v.Now, outline, line
	_, _ = fmt.Fprintln(l, line)
}

func (l *lines) close() {}

// silent shows nothing: the events themselves are printed. Messages beside them go to stderr.
type silent struct{ io.Writer }

func (silent) show(progress.View) {}
func (silent) close()             {}
