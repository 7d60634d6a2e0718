package simulated

import (
	"slices"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/test/papers/truth"
	"lull/test/papers/workload"
)

// quickLength is how much of the trace a quick run submits.
const quickLength = 20 * time.Minute

// caseStudy is MIMP's section 6.6 under a policy. No job is turned away: the
// paper compares schedulers there, not admission.
func caseStudy(o options, types []sim.Truth, policy string, seed uint64) (sim.Scenario, error) {
	jobs := workload.Jobs(workload.Streams(), workload.Length, workload.Patience, workload.Random(seed, "jobs"))
	if o.Quick {
		jobs = slices.DeleteFunc(jobs, func(j sim.Job) bool { return j.At > quickLength })
	}
	models, err := truth.Train(types, workload.Random(seed, "training"))
	return sim.Scenario{
		Seed:      seed,
		Hosts:     workload.Hosts(workload.CaseStudy, workload.Random(seed, "loads")),
		Jobs:      jobs,
		Types:     types,
		Models:    models,
		Admission: admission.Config{Mode: subjects.ModeAll},
		Slotter:   slotter.Config{Policy: policy},
	}, err
}
