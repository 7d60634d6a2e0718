// Package endings says which jobs have ended, and which of their finished tasks must run again.
package endings

import (
	"maps"
	"math"
	"slices"

	"lull/slotter/absence"
	"lull/slotter/batch"
	"lull/slotter/facts"
	"lull/slotter/fault"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Endings decides which jobs are finished, which have failed, and which finished tasks
// must run again.
type Endings struct {
	*facts.Facts
	faults map[string]fault.Fault // the last one of each live job, by id
}

// New returns the endings of a log without faults.
func New(f *facts.Facts) *Endings { return &Endings{Facts: f, faults: map[string]fault.Fault{}} }

// Decide ends the jobs that are complete or have a dead task.
func (e *Endings) Decide(b *batch.Batch) {
	if !e.Due.Endings {
		return
	}
	e.Due.Endings = false
	for _, j := range e.Jobs.BySeq {
		if event := e.ending(j.Life); event != nil {
			b.Add(event)
			e.Due.Endings = true
		}
	}
}

// ending is the event that ends the job, nil if it goes on.
func (e *Endings) ending(j *ledger.Job) subjects.Event {
	totals := j.Totals
	totals.Seconds = math.Max(0, float64(e.Now-j.Submitted)/1e9)
	if j.Complete() {
		return &subjects.JobFinished{Job: j.ID, Totals: totals}
	}
	if task, dead := j.Dead(); dead {
		code, text := fault.Explain(j, task, e.lastFault(j.ID))
		if hosts := e.Absent.AbsentEverywhere(e.Ledger, j, int(task.Stage)); hosts != nil {
			code, text = e.explainAbsence(j, int(task.Stage), hosts)
		}
		return &subjects.JobFailed{Job: j.ID, Code: code, Text: text, Totals: totals}
	}
	stage, hosts, found := e.Absent.BlockedStage(e.Ledger, j)
	if !found {
		return nil
	}
	code, text := e.explainAbsence(j, stage, hosts)
	if absence.FailsWithout(j, stage) {
		return &subjects.JobFailed{Job: j.ID, Code: code, Text: text, Totals: totals}
	}
	return &subjects.StageFailed{Job: j.ID, Stage: uint32(stage), Code: code, Text: text}
}

// explainAbsence says that the command of a stage is nowhere. The job's last fault may be that
// of another stage.
func (e *Endings) explainAbsence(j *ledger.Job, stage int, hosts []string) (code, text string) {
	last := e.lastFault(j.ID)
	if last != nil && int(last.Task.Stage) != stage {
		last = nil
	}
	if j.Shape.Stages[stage].Publish {
		return fault.Unpublishable(hosts, last)
	}
	return fault.Nowhere(j.Shape.Stages[stage].Name, hosts, last)
}

func (e *Endings) lastFault(job string) *fault.Fault {
	if f, ok := e.faults[job]; ok {
		return &f
	}
	return nil
}

// NoteFinished notes that a task was finished.
func (e *Endings) NoteFinished(at *ledger.Attempt) {
	e.Due.Endings = e.Due.Endings || at.Job.Complete()
	e.noteDead(at.Job) // this may have been the last that ran because of a failure
	e.Due.Outputs = e.Due.Outputs || at.Host.Lost
}

// NoteFailed notes that an attempt failed.
func (e *Endings) NoteFailed(event *subjects.Failed, c ledger.Change) {
	j := c.Attempt.Job
	if c.Held && j.Live() {
		e.faults[j.ID] = fault.OfFailed(event)
		e.Absent.Note(e.Ledger, j, event)
		e.Due.Endings = e.Due.Endings || e.Absent[j.ID] != nil
	}
	e.noteDead(j)
}

// NoteDeclined notes that a host could not publish a job's results.
func (e *Endings) NoteDeclined(event *subjects.Declined, j *ledger.Job) {
	stage := facts.Publishing(j)
	if event.Reason != subjects.ReasonUnwritable || stage < 0 || !j.Live() {
		return
	}
	e.faults[j.ID] = fault.OfDeclined(event, uint32(stage))
	e.Absent.Add(j, stage, event.Host)
	e.Due.Endings = true
}

// NoteMissing notes that a task runs again, or is dead, because its output vanished.
func (e *Endings) NoteMissing(event *subjects.OutputMissing, j *ledger.Job) {
	e.faults[j.ID] = fault.OfMissing(event)
	e.noteDead(j)
}

// NoteStageFailed notes that the tasks of a stage that waited are dead.
func (e *Endings) NoteStageFailed(j *ledger.Job) {
	e.Due.Endings = true // other stages of it may have no host either
	e.noteDead(j)
}

// noteDead notes what follows if a task of the job is dead: the job may end, or the stage and what runs
// beside it.
func (e *Endings) noteDead(j *ledger.Job) {
	_, dead := j.Dead()
	e.Due.Endings = e.Due.Endings || dead || j.Complete()
	e.Due.Unwanted = e.Due.Unwanted || j.Failing()
	e.Due.Slots = e.Due.Slots || j.Failing()
}

const (
	chunkTasks  = 1000 // tasks in one outputlost event: some 5 KB
	chunksBatch = 64   // such events in a batch: some 320 KB
)

// Reopen opens finished tasks again if a lost host kept their outputs and a later stage
// still reads these.
func (e *Endings) Reopen(b *batch.Batch) {
	if !e.Due.Outputs {
		return
	}
	e.Due.Outputs = false
	for _, j := range e.Jobs.BySeq {
		for stage := range j.Life.Stages {
			e.reopenStage(b, j, stage)
		}
	}
}

func (e *Endings) reopenStage(b *batch.Batch, j *facts.Job, stage int) {
	tasks := map[string][]uint32{}
	var order []string
	for _, kept := range e.Ledger.LostOutputs(j.Life, stage) {
		name := kept.Host.Name
		if tasks[name] == nil {
			order = append(order, name)
		}
		tasks[name] = append(tasks[name], kept.Task)
	}
	for _, name := range order {
		e.Due.Outputs = true
		reopenTasks(b, &subjects.OutputLost{Host: name, Job: j.Life.ID, Stage: uint32(stage)}, tasks[name])
	}
}

// reopenTasks appends copies of lost that name all the tasks.
func reopenTasks(b *batch.Batch, lost *subjects.OutputLost, tasks []uint32) {
	for len(tasks) > 0 && len(b.Events) < chunksBatch {
		chunk := *lost
		chunk.Tasks = tasks[:min(chunkTasks, len(tasks))]
		tasks = tasks[len(chunk.Tasks):]
		b.Add(&chunk)
	}
}

// Forget drops what is known of a job that has ended.
func (e *Endings) Forget(job string) { delete(e.faults, job) }

// Form is what a snapshot keeps of a live job's last fault.
type Form struct {
	Job   string      `msgpack:"job"`
	Fault fault.Fault `msgpack:"fault"`
}

// Save returns the last faults, by job.
func (e *Endings) Save() (all []Form) {
	for _, id := range slices.Sorted(maps.Keys(e.faults)) {
		all = append(all, Form{id, e.faults[id]})
	}
	return all
}

// Load takes over what a snapshot kept.
func (e *Endings) Load(all []Form) {
	for _, f := range all {
		e.faults[f.Job] = f.Fault
	}
}
