package steering

import "lull/subjects/spec"

// Need is how many cores the job can use at once at most: those of the widest level of its
// stages. A breadth-first walk puts a stage on the level after the last one that it waits for.
// Stages name only earlier ones: see spec.Job.Validate.
func Need(job *spec.Job) Cores {
	level := make([]int, len(job.Stages))
	width := make([]Cores, len(job.Stages))
	widest := Cores(0)
	for i := range job.Stages {
		st := &job.Stages[i]
		for _, from := range st.From {
			level[i] = max(level[i], level[from.Stage]+1)
		}
		for _, after := range st.After {
			level[i] = max(level[i], level[after]+1)
		}
		width[level[i]] += Cores(st.Tasks) * Whole(int(st.CPU))
		widest = max(widest, width[level[i]])
	}
	return widest
}
