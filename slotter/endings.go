package slotter

import (
	"maps"
	"math"
	"slices"

	"lull/slotter/absence"
	"lull/slotter/fault"
	"lull/subjects"
	"lull/subjects/ledger"
)

// endings decides which jobs are finished, which have failed, and which finished tasks
// must run again.
type endings struct {
	*facts
	faults map[string]fault.Fault // the last one of each live job, by id
}

// newEndings returns endings that know of no fault.
func newEndings(f *facts) *endings { return &endings{facts: f, faults: map[string]fault.Fault{}} }

// decide ends the jobs that are complete or have a dead task.
func (e *endings) decide(b *batch) {
	if !e.due.endings {
		return
	}
	e.due.endings = false
	for _, j := range e.jobs.bySeq {
		if event := e.ending(j.life); event != nil {
			b.add(event)
			e.due.endings = true
		}
	}
}

// ending is the event that ends the job, nil if it goes on.
func (e *endings) ending(j *ledger.Job) subjects.Event {
	totals := j.Totals
	totals.Seconds = math.Max(0, float64(e.now-j.Submitted)/1e9)
	if j.Complete() {
		return &subjects.JobFinished{Job: j.ID, Totals: totals}
	}
	if task, dead := j.Dead(); dead {
		code, text := fault.Explain(j, task, e.lastFault(j.ID))
		if hosts := e.absent.Nowhere(e.state, j, int(task.Stage)); hosts != nil {
			code, text = e.explainAbsence(j, int(task.Stage), hosts)
		}
		return &subjects.JobFailed{Job: j.ID, Code: code, Text: text, Totals: totals}
	}
	stage, hosts, found := e.absent.Stopped(e.state, j)
	if !found {
		return nil
	}
	code, text := e.explainAbsence(j, stage, hosts)
	if absence.Ends(j, stage) {
		return &subjects.JobFailed{Job: j.ID, Code: code, Text: text, Totals: totals}
	}
	return &subjects.StageFailed{Job: j.ID, Stage: uint32(stage), Code: code, Text: text}
}

// explainAbsence says that the command of a stage is nowhere. The job's last fault may be that
// of another stage.
func (e *endings) explainAbsence(j *ledger.Job, stage int, hosts []string) (code, text string) {
	last := e.lastFault(j.ID)
	if last != nil && int(last.Task.Stage) != stage {
		last = nil
	}
	if j.Shape.Stages[stage].Publish {
		return fault.Unpublishable(hosts, last)
	}
	return fault.Nowhere(j.Shape.Stages[stage].Name, hosts, last)
}

func (e *endings) lastFault(job string) *fault.Fault {
	if f, ok := e.faults[job]; ok {
		return &f
	}
	return nil
}

// finished notes that a task was finished.
func (e *endings) finished(at *ledger.Attempt) {
	e.due.endings = e.due.endings || at.Job.Complete()
	e.lookForDead(at.Job) // this may have been the last that ran because of a failure
	e.due.outputs = e.due.outputs || at.Host.Lost
}

// failed notes that an attempt failed.
func (e *endings) failed(event *subjects.Failed, c ledger.Change) {
	j := c.Attempt.Job
	if c.Held && j.Live() {
		e.faults[j.ID] = fault.OfFailed(event)
		e.absent.Note(e.state, j, event)
		e.due.endings = e.due.endings || e.absent[j.ID] != nil
	}
	e.lookForDead(j)
}

// declined notes that a host could not publish a job's results.
func (e *endings) declined(event *subjects.Declined, j *ledger.Job) {
	stage := publishing(j)
	if event.Reason != subjects.ReasonUnwritable || stage < 0 || !j.Live() {
		return
	}
	e.faults[j.ID] = fault.OfDeclined(event, uint32(stage))
	e.absent.Add(j, stage, event.Host)
	e.due.endings = true
}

// missed notes that a task runs again, or is dead, because its output vanished.
func (e *endings) missed(event *subjects.OutputMissing, j *ledger.Job) {
	e.faults[j.ID] = fault.OfMissing(event)
	e.lookForDead(j)
}

// stageFailed notes that the tasks of a stage that waited are dead.
func (e *endings) stageFailed(j *ledger.Job) {
	e.due.endings = true // other stages of it may have no host either
	e.lookForDead(j)
}

// lookForDead notes that a task may have ended its job, or its stage and what runs beside it.
func (e *endings) lookForDead(j *ledger.Job) {
	_, dead := j.Dead()
	e.due.endings = e.due.endings || dead || j.Complete()
	e.due.unwanted = e.due.unwanted || j.Failing()
	e.due.slots = e.due.slots || j.Failing()
}

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

// forget drops what is known of a job that has ended.
func (e *endings) forget(job string) { delete(e.faults, job) }

// faultForm is what a snapshot keeps of a live job's last fault.
type faultForm struct {
	Job   string      `msgpack:"job"`
	Fault fault.Fault `msgpack:"fault"`
}

// save returns the last faults, by job.
func (e *endings) save() (all []faultForm) {
	for _, id := range slices.Sorted(maps.Keys(e.faults)) {
		all = append(all, faultForm{id, e.faults[id]})
	}
	return all
}

// load takes over what a snapshot kept.
func (e *endings) load(all []faultForm) {
	for _, f := range all {
		e.faults[f.Job] = f.Fault
	}
}
