package trace

import (
	"fmt"
	"time"

	"lull/sim"
	"lull/subjects/spec"
)

// add puts a job on the list, unless it lies outside the window.
func (l *list) add(submitted time.Duration, job spec.Job) (*Fault, error) {
	l.span(submitted)
	if !l.o.Align && (submitted < l.o.Begin || l.o.Until > 0 && submitted >= l.o.Until) {
		l.found.Outside++
		return nil, nil
	}
	if fault := l.check(job); fault != nil {
		return fault, nil
	}
	l.found.Jobs = append(l.found.Jobs, sim.Job{At: l.at(submitted), Spec: job})
	for i := range job.Stages {
		s := &job.Stages[i]
		l.found.Tasks += int(s.Tasks)
		l.found.Work += float64(s.Tasks) * s.Estimate.Seconds()
		l.types.add(job.Model(i), s)
	}
	return nil, l.bound()
}

func (l *list) span(submitted time.Duration) {
	if l.seen == 0 || submitted < l.found.First {
		l.found.First = submitted
	}
	l.found.Last = max(l.found.Last, submitted)
	l.seen++
}

func (l *list) bound() error {
	if len(l.found.Jobs) > maxJobs {
		return fileError(l.file, l.line, 0, "there are more than %d jobs: read a window (--from, --until)", maxJobs)
	}
	if l.found.Tasks > maxTasks {
		return fileError(l.file, l.line, 0, "the jobs have more than %d tasks: read a window (--from, --until), or shrink them (--scale)", maxTasks)
	}
	return nil
}

// check returns the reason why a job cannot run on these hosts, or anywhere.
func (l *list) check(job spec.Job) *Fault {
	for i := range job.Stages {
		s := &job.Stages[i]
		if l.o.MaxCores > 0 && s.CPU > l.o.MaxCores {
			return &Fault{Line: l.line, Text: fmt.Sprintf("job %q fits no host: a task needs %s, the largest host has %d", job.Name, count(int(s.CPU), "core"), l.o.MaxCores)}
		}
		if l.o.MaxMemory > 0 && s.Memory > l.o.MaxMemory {
			return &Fault{Line: l.line, Text: fmt.Sprintf("job %q fits no host: a task needs %d MiB, the largest host can give %d", job.Name, s.Memory>>20, l.o.MaxMemory>>20)}
		}
	}
	if err := job.Validate(); err != nil {
		return &Fault{Line: l.line, Text: err.Error()}
	}
	return nil
}
