package sim

import "lull/subjects/spec"

// document is a job as its client sends it, so that admission reads it as it
// reads any. A document needs a command, which is `true` unless the scenario has one. It leaves out
// stages that lull adds by itself.
func document(j *spec.Job) ([]byte, error) {
	d, err := spec.Document(j)
	if err != nil {
		return nil, err
	}
	for i := range d.Stages {
		if len(d.Stages[i].Command) == 0 {
			d.Stages[i].Command = []string{"true"}
		}
	}
	return d.JSON()
}
