package simulated

import (
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/test/papers/truth"
	"lull/test/papers/workload"
)

// small is the cluster of MIMP's figures 9 and 11 to 14: four shared nodes of one core each, as in
// its section 6.3.1, of which one alone is much better than the others (section 6.5).
var small = []workload.Class{
	{Name: "calm", Hosts: 1, Cores: 1, Low: 0.10, High: 0.20},
	{Name: "busy", Hosts: 3, Cores: 1, Low: 0.45, High: 0.65},
}

// smallStreams are pi and terasort jobs that offer so much of what the cluster
// can do, half of it each. A deadline is four times what a job takes alone.
func smallStreams(types []sim.Truth, utilisation float64, length time.Duration) []workload.Stream {
	streams := []workload.Stream{{Type: "pi", Tasks: 8}, {Type: "terasort", Tasks: 12}}
	for i := range streams {
		s := &streams[i]
		alone := float64(s.Tasks) / smallRate(types, s.Type)
		s.Deadline = time.Duration(4 * alone * float64(time.Second)).Round(time.Second)
		s.Jobs = int(utilisation/2*length.Seconds()/alone + 0.5)
	}
	return streams
}

// smallRate is the tasks a second that the cluster does of a type.
func smallRate(types []sim.Truth, name string) (rate float64) {
	for i := range types {
		for _, c := range small {
			if types[i].Type == name {
				rate += float64(c.Hosts) / truth.Seconds(&types[i], 1-(c.Low+c.High)/2)
			}
		}
	}
	return rate
}

// smallStudy is a trace on the small cluster.
func smallStudy(policy, mode string, utilisation float64, length time.Duration, seed uint64) (sim.Scenario, error) {
	types := truth.Declared()
	models, err := truth.Train(types, workload.Random(seed, "training"))
	return sim.Scenario{
		Seed:      seed,
		Hosts:     workload.Hosts(small, workload.Random(seed, "loads")),
		Jobs:      workload.Jobs(smallStreams(types, utilisation, length), length, workload.Patience, workload.Random(seed, "jobs")),
		Types:     types,
		Models:    models,
		Admission: admission.Config{Mode: mode},
		Slotter:   slotter.Config{Policy: policy},
	}, err
}
