package slotter

import (
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// placing keeps jobs to the hosts that the placer chose for them: see lull/placer. A job that may be
// placed waits for the placer's word for some seconds. A placement is advice about speed: the job's tasks
// go beyond its hosts when keeping to them would cost more than moving data does.
type placing struct {
	*facts
	heard int64 // when a placer last led or said something, 0 if not since the start
	mute  int64 // when a job last waited in vain
	given int64 // when a task of any job was last given away
}

// starvedOnHosts is how long a placed job may be given nothing while others are before it goes beyond its
// hosts.
const starvedOnHosts = int64(60 * 1e9)

// askAgain is how long jobs do not wait for a placer that did not answer. Then one waits again: a placer
// that answers late has nothing to say of jobs that have begun, and would stay unheard for ever.
const askAgain = int64(60 * 1e9)

// placerLeads reports whether a placer leads that answers.
func (p *placing) placerLeads() bool {
	return p.state.Term(string(subjects.RolePlacer), subjects.WholePool) != 0 &&
		(p.mute == 0 || p.heard >= p.mute || p.now-p.mute >= askAgain)
}

// waits reports whether the word on a job's place is still to come.
func (p *placing) waits(j *ledger.Job) bool {
	if j.Placement != nil || p.state.Network == nil || p.cfg.AwaitPlacer < 0 || j.Phase != ledger.Admitted ||
		!j.Shape.Placeable() || !p.placerLeads() || !j.Untried() {
		return false
	}
	if until := j.Admitted + int64(p.cfg.AwaitPlacer); p.now < until {
		p.decideAt(until)
		return true
	}
	p.mute = p.now
	return false
}

// hostsOf is the placement that keeps a stage's tasks to its hosts, nil if none does. Tasks that publish
// run where the output is.
func (p *placing) hostsOf(j *job, st *spec.Stage) *ledger.Placement {
	at := p.state.Bound(j.life)
	if at == nil || st.Publish || p.starvedOf(j) {
		return nil
	}
	return at
}

// starvedOf reports whether a job was given nothing for a minute while others were.
func (p *placing) starvedOf(j *job) bool {
	return p.now-j.served > starvedOnHosts && p.given > j.served && p.now-p.given < starvedOnHosts
}

// ruleOn is the reason for an assignment: one beyond the job's hosts says so.
func ruleOn(rule string, h *host, w *work) string {
	p := w.job.life.Placement
	if p == nil || p.Beyond || w.job.life.Shape.Stages[w.stage].Publish || p.Has(h.life.Name) {
		return rule
	}
	return subjects.RuleBeyond
}

// noteHeard notes that a placer leads or said something.
func (p *placing) noteHeard() { p.heard = p.now }

// noteGiven notes that a task was given away.
func (p *placing) noteGiven() { p.given = p.now }

// newPlacing returns a placing that has not heard of a placer.
func newPlacing(f *facts) *placing { return &placing{facts: f} }
