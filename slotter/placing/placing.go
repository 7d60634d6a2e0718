// Package placing keeps jobs to the hosts that the placer chose for them, and lets them wait for its word.
package placing

import (
	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Placing keeps jobs to the hosts that the placer chose for them: see lull/placer. A job that may be
// placed waits for the placer's word for some seconds. A placement is advice about speed: the job's tasks
// go beyond its hosts when keeping to them would cost more than moving data does.
type Placing struct {
	*facts.Facts
	placerAt   int64 // when a placer last led or said something, 0 if not since the start
	unanswered int64 // when a job last waited in vain
	resumed    int64 // when the pool was last resumed, 0 if not since the start
}

// longest is how long a placed job waits at most for a slot of its hosts.
const longest = int64(60 * 1e9)

// askAgain is how long jobs do not wait for a placer that did not answer. Then one waits again: a placer
// that answers late has nothing to say of jobs that have begun, and would stay unheard for ever.
const askAgain = int64(60 * 1e9)

// placerLeads reports whether a placer leads that answers.
func (p *Placing) placerLeads() bool {
	return p.Ledger.Term(string(subjects.RolePlacer), subjects.WholePool) != 0 &&
		(p.unanswered == 0 || p.placerAt >= p.unanswered || p.Now-p.unanswered >= askAgain)
}

// AwaitsPlacement reports whether the word on a job's place is still to come.
func (p *Placing) AwaitsPlacement(j *ledger.Job) bool {
	if j.Placement != nil || p.Ledger.Network == nil || p.Config.AwaitPlacer < 0 || j.Phase != ledger.Admitted ||
		!j.Shape.Placeable() || !p.placerLeads() || !j.Untried() {
		return false
	}
	if until := j.Admitted + int64(p.Config.AwaitPlacer); p.Now < until {
		p.DecideAt(until)
		return true
	}
	p.unanswered = p.Now
	return false
}

// HostsOf is the placement that keeps a stage's tasks to its hosts, nil if none does. Tasks that publish
// run where the output is. A job of which tasks waited in vain for as long as its hosts were predicted to save it
// runs anywhere: then they cannot make up for more waiting.
func (p *Placing) HostsOf(j *facts.Job, st *spec.Stage) *ledger.Placement {
	at := p.Ledger.Bound(j.Life)
	if at == nil || st.Publish {
		return nil
	}
	until := p.waitsSince(j) + patience(j.Life)
	if p.Now >= until {
		return nil
	}
	p.DecideAt(until)
	return at
}

// waitsSince is since when a job with tasks to give away was given no slot. Time in which it had none, because the
// stage before still ran, does not count, and neither does time in which the pool was paused, or the job held all slots
// that were meant for it: that its tasks run in waves was predicted.
func (p *Placing) waitsSince(j *facts.Job) int64 {
	if j.Asked.Round+1 < p.Rounds || j.Life.Held() >= j.Life.Placement.Slots() {
		j.Asked.Since = p.Now
	}
	j.Asked.Round = p.Rounds
	return max(j.Asked.Since, j.Served, p.resumed)
}

// patience is how long a placed job waits for a slot of its hosts: as long as they were predicted to save it, and
// a minute if that is unknown, or the document asks for the place.
func patience(j *ledger.Job) int64 {
	p := j.Placement
	for _, b := range p.Baselines {
		if saved := b.Seconds - p.Seconds; b.Policy == subjects.PlacedAnywhere && saved > 0 && j.Shape.Place == "" {
			return int64(min(saved, float64(longest)/1e9) * 1e9)
		}
	}
	return longest
}

// Rule is the reason for an assignment: one beyond the job's hosts says so.
func Rule(rule string, h *facts.Host, w *facts.Work) string {
	p := w.Job.Life.Placement
	if p == nil || p.Beyond || w.Job.Life.Shape.Stages[w.Stage].Publish || p.Has(h.Life.Name) {
		return rule
	}
	return subjects.RuleBeyond
}

// NotePlacer notes that a placer leads or said something.
func (p *Placing) NotePlacer() { p.placerAt = p.Now }

// Fold notes what the placer says, and that the pool is no longer paused.
func (p *Placing) Fold(event subjects.Event) {
	switch event.(type) {
	case *subjects.Placed:
		p.NotePlacer()
	case *subjects.PoolResumed:
		p.resumed = p.Now
	}
}

// New returns a placing that knows of no placer.
func New(f *facts.Facts) *Placing { return &Placing{Facts: f} }
