package assigning

import (
	"slices"

	"lull/slotter/absence"
	"lull/slotter/facts"
	"lull/subjects/ledger"
)

// probed is how many tasks of a stage, those with the lowest numbers, have their hosts see whether
// they could publish. Hosts are searched for each, and a few tasks reach a few hosts.
const probed = 8

// shouldProbe reports whether the host should check that it can publish the job's results, before it
// runs the task. It should if it may publish them, has not reported that it cannot, and no task is
// done.
func shouldProbe(f *facts.Facts, j *ledger.Job, task uint32, h *ledger.Host) bool {
	stage := facts.Publishing(j)
	return stage >= 0 && task < probed && !slices.ContainsFunc(j.Stages, func(st *ledger.Stage) bool { return st.Done > 0 }) &&
		absence.MayRun(f.Ledger, j, stage, h) && !slices.Contains(f.Absent.Of(j.ID, stage), h.Name)
}
