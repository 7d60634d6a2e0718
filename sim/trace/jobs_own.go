package trace

import (
	"slices"
	"strconv"
	"strings"

	"lull/subjects/spec"
)

// ownHeader is our form with all its columns.
const ownHeader = "submit_s,tasks,task_seconds,name,type,deadline_s,memory_mb,cores,input_bytes,source,queue"

// Bounds of a row.
const (
	maxTaskSeconds = 30 * 24 * 3600
	maxDeadline    = 365 * 24 * 3600
	maxBytes       = 1 << 60
	maxTaskCores   = 1024
)

// ownColumns are where the columns of our form stand, -1 for a missing one.
type ownColumns struct {
	submit, tasks, seconds                                       int
	name, jobType, deadline, memory, cores, input, source, queue int
}

// readOwn reads our form: a row a job of one stage.
func (l *list) readOwn() error {
	l.found.Form = "lull"
	known := strings.Split(ownHeader, ",")
	for i, h := range l.header {
		if !slices.Contains(known, h) {
			return fileError(l.file, l.line, l.starts[i], "the column %q is unknown: jobs have the columns %s (or are a SWIM trace: %s)", brief(h), ownHeader, swimHeader)
		}
	}
	for _, needed := range known[:3] {
		if l.column(needed) < 0 {
			return fileError(l.file, l.line, 0, "the column %s is missing: jobs need submit_s, tasks and task_seconds, and may have %s", needed, strings.Join(known[3:], ", "))
		}
	}
	c := ownColumns{
		l.column("submit_s"), l.column("tasks"), l.column("task_seconds"),
		l.column("name"), l.column("type"), l.column("deadline_s"), l.column("memory_mb"),
		l.column("cores"), l.column("input_bytes"), l.column("source"), l.column("queue"),
	}
	n := &own{list: l, ownColumns: c, types: newNames(jobName), queues: newNames(jobName)}
	return l.each(n.row)
}

type own struct {
	*list
	ownColumns
	types, queues *names
}

func (o *own) row() (*Fault, error) {
	at, fault := o.number(o.submit, 0, maxSeconds)
	if fault != nil {
		return fault, nil
	}
	job, fault := o.job()
	if fault != nil {
		return fault, nil
	}
	return o.add(seconds(at), job)
}

func (o *own) job() (spec.Job, *Fault) {
	deadline, fault := o.optional(o.deadline, 0, 0.001, maxDeadline)
	if fault != nil {
		return spec.Job{}, fault
	}
	stage, fault := o.stage()
	job := spec.Job{Name: "job-" + strconv.Itoa(o.line), Type: "jobs", DeadlineIn: seconds(deadline), Stages: []spec.Stage{stage}}
	if name := o.text(o.name); name != "" {
		job.Name = jobName(name)
		job.Type = o.types.of(name)
	}
	if jobType := o.text(o.jobType); jobType != "" {
		job.Type = o.types.of(jobType)
	}
	if queue := o.text(o.queue); queue != "" {
		job.Queue = o.queues.of(queue)
	}
	return job, fault
}

func (o *own) stage() (spec.Stage, *Fault) {
	var v struct{ tasks, seconds, memory, cores, input float64 }
	for _, f := range []struct {
		into                  *float64
		read                  reader
		column                int
		fallback, least, most float64
	}{
		{&v.tasks, o.needed(o.whole), o.tasks, 0, 1, spec.MaxTasks},
		{&v.seconds, o.needed(o.optional), o.seconds, 0, 0.001, maxTaskSeconds},
		{&v.memory, o.optional, o.memory, spec.DefaultMemory / float64(1<<20), 1, maxMegs},
		{&v.cores, o.whole, o.cores, spec.DefaultCPU, 1, maxTaskCores},
		{&v.input, o.optional, o.input, 0, 0, maxBytes},
	} {
		var fault *Fault
		if *f.into, fault = f.read(f.column, f.fallback, f.least, f.most); fault != nil {
			return spec.Stage{}, fault
		}
	}
	s := stage("work", v.tasks, v.seconds, v.input)
	s.Memory, s.CPU = int64(v.memory*(1<<20)), uint32(v.cores)
	if source := o.text(o.source); source != "" {
		s.Sources = []string{source}
	}
	return s, nil
}

// reader reads a field that may be empty.
type reader = func(column int, fallback, least, most float64) (float64, *Fault)

// needed makes a reader that wants the field.
func (o *own) needed(read reader) reader {
	return func(column int, fallback, least, most float64) (float64, *Fault) {
		if o.text(column) == "" {
			return o.number(column, least, most) // says that it is empty
		}
		return read(column, fallback, least, most)
	}
}

// stage returns a stage of tasks that take so long on an idle core and read so much.
func stage(name string, tasks, taskSeconds, bytes float64) spec.Stage {
	return spec.Stage{
		Name: name, Argv: []string{"true"}, Tasks: uint32(tasks), CPU: spec.DefaultCPU, Memory: spec.DefaultMemory,
		Retries: spec.DefaultRetries, Backoff: spec.DefaultBackoff,
		Estimate: seconds(taskSeconds), Bytes: int64(bytes),
	}
}
