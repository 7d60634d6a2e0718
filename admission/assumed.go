package admission

import (
	"fmt"
	"strings"

	"lull/admission/facts"
	"lull/admission/judge"
	"lull/admission/outlook"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects/humane"
)

// grounds puts into words what predictions are based on.
type grounds struct {
	*facts.Facts
	pool   *pool.Pool
	trials *pool.Trials
}

// assumed describes the assumptions of a job's prediction: how long a task of each stage runs, and
// how many cores are idle.
func (g *grounds) assumed(l *pool.Load) string {
	var all []string
	for i := range l.Stages {
		if l.Shape.Stages[i].Publish {
			continue
		}
		if len(all) == pool.MostAssumed {
			all = append(all, "further stages likewise")
			break
		}
		all = append(all, g.taskTime(l, i))
	}
	return "Assumed: " + strings.Join(append(all, g.idle()), "; ")
}

// taskTime says how long a task of stage i is assumed to run, and where that figure comes from.
func (g *grounds) taskTime(l *pool.Load, i int) string {
	t, stage := &l.Stages[i], &l.Shape.Stages[i]
	from := "a guess, because none has run yet"
	switch m := g.Ledger.Model(t.Model); {
	case t.Shown.Tasks > 0:
		from = fmt.Sprintf("as %s of this job showed", humane.Count(t.Shown.Tasks, "task"))
	case m != nil:
		from = fmt.Sprintf("by the model of %s", humane.Count(int(m.Samples), "run"))
	case stage.Estimate > 0:
		from = "as estimate: in the document says"
	}
	return fmt.Sprintf("a task of stage %s takes %s on an idle core (%s)", stage.Name, about(span.Of(t.Unit.Curve.Seconds(1)*t.Factor)), from)
}

// idle says how many cores the hosts leave idle now, and for how long that was observed.
func (g *grounds) idle() string {
	idle, cores := g.idleCores()
	text := fmt.Sprintf("%.1f of %s %s idle", idle, humane.Count(cores, "core"), isOrAre(cores))
	if known := g.observed(); known != "" {
		text += ", and " + known
	}
	if n := g.pool.Supply.Days(); n > 0 {
		text += ", beyond an hour as past days of " + humane.Count(n, "tenant") + " say"
	}
	return text
}

// idleCores returns how many cores the present hosts leave idle now, and how many cores they have. A paused
// host leaves none.
func (g *grounds) idleCores() (idle float64, cores int) {
	for _, h := range present(g.Ledger) {
		cores += int(h.Joined.Slots)
		if h.Open() && !g.Ledger.Paused {
			idle += min(g.pool.Supply.Idle(h), float64(h.Joined.Slots))
		}
	}
	return idle, cores
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// observed says for how long the hosts were observed, if that is too short to know what they
// leave on average; "" otherwise.
func (g *grounds) observed() string {
	if seconds := g.least(); seconds < outlook.EnoughObserved {
		return "hosts have been observed for " + humane.Seconds(seconds)
	}
	return ""
}

// least returns the shortest time for which an open host was observed, in whole seconds and at most
// outlook.EnoughObserved. It leaves out hosts whose tenant has a known day: their future is known from that.
func (g *grounds) least() float64 {
	least := outlook.EnoughObserved
	for _, h := range present(g.Ledger) {
		if w := g.pool.Supply.Usage[h.Name]; w != nil && h.Open() && w.Observed > 0 && !g.pool.Supply.HasDay(h) {
			least = min(least, w.Observed)
		}
	}
	return span.Round(least, 1)
}

// remedies says what would get a rejected job admitted, besides a later deadline.
func (g *grounds) remedies(l *pool.Load) string {
	text := "What helps: "
	for i := range l.Stages {
		if stage := &l.Shape.Stages[i]; !stage.Publish && stage.Estimate == 0 && g.trials.Unknown(l, i) {
			text += "estimate: in the document, if tasks take less; "
			break
		}
	}
	return text + "late: run in the document, or --late run, which runs the job also if it ends after its deadline"
}

// noteGuess returns a note for a verdict that looks further ahead than the hosts' observed time allows, "" for
// other verdicts.
func (g *grounds) noteGuess(f judge.Finding) string {
	if known := g.observed(); known != "" && f.Finish >= outlook.Bounds[0] {
		return "; " + known + ", so what they leave later is a guess"
	}
	return ""
}

// whyTried says why a job would first be tried with a few tasks, and how soon its verdict would follow at
// the latest.
func (g *grounds) whyTried(n pool.Newcomer) string {
	return g.trials.Event(n).Why + ", at the latest in " + about(span.Since(g.Now, n.Until()))
}
