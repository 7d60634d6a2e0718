package main

import (
	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/test/papers/truth"
	"lull/test/papers/workload"
)

// caseStudy is MIMP's section 6.6 under a policy. No job is turned away: the
// paper compares schedulers there, not admission.
func caseStudy(types []sim.Truth, policy string, seed uint64) (sim.Scenario, error) {
	models, err := truth.Train(types, workload.Random(seed, "training"))
	return sim.Scenario{
		Seed:      seed,
		Hosts:     workload.Hosts(workload.CaseStudy, workload.Random(seed, "loads")),
		Jobs:      workload.Jobs(workload.Streams(), workload.Length, workload.Patience, workload.Random(seed, "jobs")),
		Types:     types,
		Models:    models,
		Admission: admission.Config{Mode: admission.ModeAll},
		Slotter:   slotter.Config{Policy: policy},
	}, err
}
