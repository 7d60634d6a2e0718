package slotter

import "lull/subjects"

const (
	chunkTasks  = 1000 // tasks in one outputlost event: some 5 KB
	chunksBatch = 64   // such events in a batch: some 320 KB
)

// reopen says which finished tasks must run again because a lost host took
// along what a later stage still reads.
func (a *Actor) reopen(b *batch) {
	if !a.due.outputs {
		return
	}
	a.due.outputs = false
	for _, j := range a.jobs.bySeq {
		for stage := range j.life.Stages {
			a.reopenStage(b, j, stage)
		}
	}
}

func (a *Actor) reopenStage(b *batch, j *job, stage int) {
	tasks := map[string][]uint32{}
	var order []string
	for _, kept := range a.state.LostOutputs(j.life, stage) {
		name := kept.Host.Name
		if tasks[name] == nil {
			order = append(order, name)
		}
		tasks[name] = append(tasks[name], kept.Task)
	}
	for _, name := range order {
		a.due.outputs = true
		a.reopenTasks(b, &subjects.OutputLost{Host: name, Job: j.life.ID, Stage: uint32(stage)}, tasks[name])
	}
}

// reopenTasks appends copies of e that name all the tasks.
func (a *Actor) reopenTasks(b *batch, e *subjects.OutputLost, tasks []uint32) {
	for len(tasks) > 0 && len(b.events) < chunksBatch {
		chunk := *e
		chunk.Tasks = tasks[:min(chunkTasks, len(tasks))]
		tasks = tasks[len(chunk.Tasks):]
		b.add(&chunk)
	}
}
