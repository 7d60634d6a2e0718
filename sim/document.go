package sim

import "lull/subjects/spec"

// document is a job as its client sends it, so that admission reads it as it
// reads any. What a document cannot leave out, a command, is `true` unless it
// is given; stages that lull adds by itself are left to lull.
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
