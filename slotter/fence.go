package slotter

import (
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// steers reports whether jobs are steered at all: it was asked for, and classes are known.
func steers(f *facts) bool {
	last := f.state.Tenants.Last()
	return f.cfg.Steer == SteerPaper && last != nil && len(last.Classes) > 0
}

// waitsForSteering reports whether the word on a job's classes is still to come.
func waitsForSteering(f *facts, j *ledger.Job) bool { return j.Steering == nil && steers(f) }

// fenceOf returns the classes on whose hosts the stage's tasks may run, nil for all. Tasks that
// publish run where the output is, and a job in danger wherever it can be saved.
func fenceOf(f *facts, j *ledger.Job, st *spec.Stage) []string {
	if j.Steering == nil || len(j.Steering.Classes) == 0 || st.Publish || j.Endangered || !steers(f) {
		return nil
	}
	return j.Steering.Classes
}

// classOf is the class of a host's tenant, "" for none.
func classOf(f *facts, h *ledger.Host) string {
	if said := f.state.TenantOf(h); said != nil {
		return said.Class
	}
	return ""
}
