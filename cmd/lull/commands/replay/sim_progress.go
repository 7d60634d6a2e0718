package replay

import (
	"fmt"
	"io"
	"strings"
	"time"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/draw"
	"lull/cmd/lull/simulate"
	"lull/subjects/humane"
)

// follow shows on a terminal how far the runs are, until stop is called.
// Elsewhere it is silent.
func (s *simulation) follow(out io.Writer, plan *simulate.Plan, runs []*simulate.Run) (stop func()) {
	tty, ok := cli.Terminal(out)
	if !ok {
		return func() {}
	}
	painter := s.Painter(tty)
	quit, done := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(done)
		tick := time.NewTicker(client.Redraw)
		defer tick.Stop()
		for {
			painter.Paint(draw.Narrow(advance(plan, runs, begin), painter.Width()))
			select {
			case <-tick.C:
			case <-quit:
				painter.Paint("")
				painter.Close()
				return
			}
		}
	}()
	return func() { close(quit); <-done }
}

// advance is a line for each run under way, and one for all.
func advance(plan *simulate.Plan, runs []*simulate.Run, begin time.Time) string {
	var text []string
	ended, sum := 0, 0.0
	for _, r := range runs {
		share := min(float64(r.At())/float64(max(plan.Last(), 1)), 1)
		if r.Done() {
			ended, share = ended+1, 1
		} else if !r.Started().IsZero() {
			text = append(text, fmt.Sprintf("%-6s seed %d  %s %3.0f %%  %s of %s%s", r.Policy, r.Seed, meter(share), 100*share, humane.Span(r.At()), humane.Span(plan.Last()), again(r)))
		}
		if r.WithoutAdmission() {
			share = (1 + share) / 2
		}
		sum += share
	}
	line := fmt.Sprintf("%d of %s ended", ended, humane.Count(len(runs), "run"))
	if took := time.Since(begin); sum > 0.02 && took > time.Second {
		left := time.Duration(float64(took) * (float64(len(runs)) - sum) / sum)
		line += ", about " + humane.Span(left.Round(time.Second)) + " left"
	}
	return strings.Join(append(text, line), "\n")
}

// again says that a run is the second one.
func again(r *simulate.Run) string {
	if r.WithoutAdmission() {
		return " without admission"
	}
	return ""
}

// meter is a share as a bar.
func meter(share float64) string {
	const width = 20
	full := int(share*width + 0.5)
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}
