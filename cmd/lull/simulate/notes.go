package simulate

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"lull/subjects/humane"
)

// note says what was left out, filled in or assumed.
func (p *Plan) note() {
	say := func(when bool, format string, args ...any) {
		if when {
			p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
		}
	}
	pool, list := p.Pool, p.List
	last := list.Jobs[len(list.Jobs)-1].At
	say(list.Outside > 0, "%s of %s outside the window were left out.", humane.Count(list.Outside, "job"), p.Jobs)
	say(pool.Skipped > 0, "%s of %s left out (--skip-bad).", humane.Count(pool.Skipped, "bad row"), p.Hosts)
	say(list.Skipped > 0, "%s of %s left out (--skip-bad).", humane.Count(list.Skipped, "bad row"), p.Jobs)
	say(pool.Filled > 0, "%s missing took the value before.", humane.Count(pool.Filled, "sample"))
	say(pool.Clipped > 0, "%s above 100 %% counted as 100 %%.", humane.Count(pool.Clipped, "sample"))
	say(last > pool.Span, "Jobs arrive over %s, and usage is known for %s: after its end it repeats from its beginning.", humane.Span(last), humane.Span(pool.Span))
	say(list.Form == "swim", "Tasks and their times are derived from bytes, times %.3g: a map for each %s, %.3g s on an idle core; %s. These are assumptions.",
		p.Job.Swim.Scale, humanize.IBytes(uint64(p.Job.Swim.Block)), p.Job.Swim.BlockSeconds, p.deadlines())
}

func (p *Plan) deadlines() string {
	if p.Job.Swim.DeadlineFactor < 0 {
		return "without deadlines"
	}
	return fmt.Sprintf("deadlines are %.3g times the time alone on idle hosts", p.Job.Swim.DeadlineFactor)
}
