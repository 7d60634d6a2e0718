package slotter

import (
	"slices"

	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// mayRun reports whether tasks of the stage may go to the host if it has what they need. Tasks that
// publish go to the host where the job came from, while it is present.
func mayRun(s *ledger.State, j *ledger.Job, stage int, h *ledger.Host) bool {
	st := &j.Shape.Stages[stage]
	if st.Publish && j.Shape.Origin != "" {
		origin := []string{"host=" + j.Shape.Origin}
		if !h.Matches(origin) && slices.ContainsFunc(s.Hosts(), func(o *ledger.Host) bool { return o.Open() && o.Matches(origin) }) {
			return false
		}
	}
	return couldRun(h, st)
}

// publishing is the stage that publishes the job's results, -1 if there is none.
func publishing(j *ledger.Job) int {
	return slices.IndexFunc(j.Shape.Stages, func(st spec.Stage) bool { return st.Publish })
}

// probed is how many tasks of a stage, those with the lowest numbers, have their hosts see whether
// they could publish. Hosts are searched for each, and a few tasks reach a few hosts.
const probed = 8

// probes reports whether the host should check that it can publish the job's results, before it
// runs the task. It should if it may publish them, has not reported that it cannot, and no task is
// done.
func (f *facts) probes(j *ledger.Job, task uint32, h *ledger.Host) bool {
	stage := publishing(j)
	return stage >= 0 && task < probed && !slices.ContainsFunc(j.Stages, func(st *ledger.Stage) bool { return st.Done > 0 }) &&
		mayRun(f.state, j, stage, h) && !slices.Contains(f.absent.of(j.ID, stage), h.Name)
}
