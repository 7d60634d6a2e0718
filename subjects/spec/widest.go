package spec

// Widest is how many thousandths of cores the job can use at once at most: those of the widest level
// of its stages. A breadth-first walk puts a stage on the level after the last one that it waits for.
// Stages name only earlier ones: see Job.Validate.
func (j *Job) Widest() (widest int64) {
	level, width := make([]int, len(j.Stages)), make([]int64, len(j.Stages))
	for i := range j.Stages {
		st := &j.Stages[i]
		for _, from := range st.From {
			level[i] = max(level[i], level[from.Stage]+1)
		}
		for _, after := range st.After {
			level[i] = max(level[i], level[after]+1)
		}
		width[level[i]] += int64(MostAtOnce(j, i)) * int64(st.Cores())
		widest = max(widest, width[level[i]])
	}
	return widest
}
