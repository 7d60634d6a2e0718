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
	heard int64 // when a placer last led or said something, 0 if not since the start
	mute  int64 // when a job last waited in vain
	given int64 // when a task of any job was last given away
}

// noteLead notes which service leads.
func (f *facts) noteLead(e *subjects.Led) {
	switch e.Actor {
	case Name:
		f.led = f.state.Now()
	case string(subjects.RolePlacer):
		f.placing.heard = f.now
	}
}

// starvedOnHosts is how long a placed job may be given nothing while others are before it goes beyond its
// hosts.
const starvedOnHosts = int64(60 * 1e9)

// askAgain is how long jobs do not wait for a placer that did not answer. Then one waits again: a placer
// that answers late has nothing to say of jobs that have begun, and would stay unheard for ever.
const askAgain = int64(60 * 1e9)

// placerLeads reports whether a placer leads that answers.
func (f *facts) placerLeads() bool {
	p := &f.placing
	return f.state.Term(string(subjects.RolePlacer), subjects.WholePool) != 0 &&
		(p.mute == 0 || p.heard >= p.mute || f.now-p.mute >= askAgain)
}

// waitsForPlace reports whether the word on a job's place is still to come.
func (f *facts) waitsForPlace(j *ledger.Job) bool {
	if j.Placement != nil || f.state.Network == nil || f.cfg.AwaitPlacer < 0 || j.Phase != ledger.Admitted ||
		!j.Shape.Placeable() || !f.placerLeads() || !j.Untried() {
		return false
	}
	if until := j.Admitted + int64(f.cfg.AwaitPlacer); f.now < until {
		f.decideAt(until)
		return true
	}
	f.placing.mute = f.now
	return false
}

// hostsOf is the placement that keeps a stage's tasks to its hosts, nil if none does. Tasks that publish
// run where the output is.
func (f *facts) hostsOf(j *job, st *spec.Stage) *ledger.Placement {
	p := f.state.Bound(j.life)
	if p == nil || st.Publish || f.starvedOf(j) {
		return nil
	}
	return p
}

// starvedOf reports whether a job was given nothing for a minute while others were.
func (f *facts) starvedOf(j *job) bool {
	return f.now-j.served > starvedOnHosts && f.placing.given > j.served && f.now-f.placing.given < starvedOnHosts
}

// ruleOn is the reason for an assignment: one beyond the job's hosts says so.
func (f *facts) ruleOn(rule string, h *host, w *work) string {
	p := w.job.life.Placement
	if p == nil || p.Beyond || w.job.life.Shape.Stages[w.stage].Publish || p.Has(h.life.Name) {
		return rule
	}
	return subjects.RuleBeyond
}
