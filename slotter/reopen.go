package slotter

import "lull/subjects"

const (
	chunkTasks  = 1000 // tasks in one outputlost event: some 5 KB
	chunksBatch = 64   // such events in a batch: some 320 KB
)

// reopen opens finished tasks again if a lost host kept their outputs and a later stage
// still reads these.
func (e *endings) reopen(b *batch) {
	if !e.due.outputs {
		return
	}
	e.due.outputs = false
	for _, j := range e.jobs.bySeq {
		for stage := range j.life.Stages {
			e.reopenStage(b, j, stage)
		}
	}
}

func (e *endings) reopenStage(b *batch, j *job, stage int) {
	tasks := map[string][]uint32{}
	var order []string
	for _, kept := range e.state.LostOutputs(j.life, stage) {
		name := kept.Host.Name
		if tasks[name] == nil {
			order = append(order, name)
		}
		tasks[name] = append(tasks[name], kept.Task)
	}
	for _, name := range order {
		e.due.outputs = true
		reopenTasks(b, &subjects.OutputLost{Host: name, Job: j.life.ID, Stage: uint32(stage)}, tasks[name])
	}
}

// reopenTasks appends copies of lost that name all the tasks.
func reopenTasks(b *batch, lost *subjects.OutputLost, tasks []uint32) {
	for len(tasks) > 0 && len(b.events) < chunksBatch {
		chunk := *lost
		chunk.Tasks = tasks[:min(chunkTasks, len(tasks))]
		tasks = tasks[len(chunk.Tasks):]
		b.add(&chunk)
	}
}
