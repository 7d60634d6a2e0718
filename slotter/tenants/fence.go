package tenants

import (
	"lull/slotter/facts"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// steers reports whether jobs are steered at all: it was asked for, and classes are known.
func steers(f *facts.Facts) bool {
	last := f.Ledger.Tenants.Last()
	return f.Config.Steer == facts.SteerPaper && last != nil && len(last.Classes) > 0
}

// AwaitsSteering reports whether the word on a job's classes is still to come.
func AwaitsSteering(f *facts.Facts, j *ledger.Job) bool { return j.Steering == nil && steers(f) }

// Fence returns the classes on whose hosts the stage's tasks may run, nil for all. Tasks that
// publish run where the output is, and a job in danger wherever it can be saved.
func Fence(f *facts.Facts, j *ledger.Job, st *spec.Stage) []string {
	if j.Steering == nil || len(j.Steering.Classes) == 0 || st.Publish || j.Endangered || !steers(f) {
		return nil
	}
	return j.Steering.Classes
}

// Class is the class of a host's tenant, "" for none.
func Class(f *facts.Facts, h *ledger.Host) string {
	if class := f.Ledger.Classified(h); class != nil {
		return class.Class
	}
	return ""
}
