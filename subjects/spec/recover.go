package spec

import (
	"strings"
	"time"
)

// Document is a document that gives this canonical job again. What documents need not say is
// left out: defaults, and the stage that lull adds for an output. The error is of type *Error.
func Document(j *Job) (*Doc, error) {
	d := &Doc{Name: j.Name, Queue: j.Queue, Output: j.Output, Replace: j.Replace, AtOnce: j.AtOnce, Place: j.Place, Origin: j.Origin}
	if j.Type != j.Name {
		d.Type = j.Type
	}
	switch {
	case j.DeadlineIn != 0:
		d.Deadline = j.DeadlineIn.String()
	case j.DeadlineAt != 0:
		d.Deadline = time.Unix(0, j.DeadlineAt).UTC().Format(time.RFC3339Nano)
	}
	if j.Late {
		d.Late = LateRun
	}
	recoverOtherJobs(d, j)
	for i := range j.Stages {
		if j.Stages[i].Publish {
			continue
		}
		s, err := j.documentStage(i)
		if err != nil {
			return nil, err
		}
		d.Stages = append(d.Stages, s)
	}
	return d, nil
}

func (j *Job) documentStage(i int) (DocStage, error) {
	s := &j.Stages[i]
	d := DocStage{
		Name: s.Name, Command: s.Argv, Env: unpaired(s.Env), Dir: s.Dir, Sent: s.Sent, Where: unpaired(s.Where),
		CPU: unless(DefaultCPU*Core, s.Cores()), Memory: unless(DefaultMemory, s.Memory),
		Backoff: Duration(unless(DefaultBackoff, min(s.Backoff, longestBackoff))), Timeout: Duration(s.Timeout), Wall: Duration(s.Wall), Estimate: Duration(s.Estimate),
		Bytes: s.Bytes, Sources: s.Sources, Stdin: s.Stdin, AtOnce: s.AtOnce, OnExit: recoverExits(s.OnExit),
	}
	if s.Retries != DefaultRetries {
		d.Retries = new(min(s.Retries, mostRetries))
	}
	for _, f := range s.From {
		d.From = append(d.From, DocFrom{Stage: j.Stages[f.Stage].Name, By: f.by()})
	}
	for _, after := range s.After {
		d.After = append(d.After, j.Stages[after].Name)
	}
	if s.Gives > 0 || s.Yield > 0 {
		d.Gives = &Gives{s.Gives, s.Yield}
	}
	d.recoverOutcome(s)
	recoverEnding(&d, s.Ending)
	return d, d.recoverTasks(index("stages", i), s)
}

// recoverTasks says what makes the stage's tasks.
func (s *DocStage) recoverTasks(path string, of *Stage) error {
	switch {
	case len(of.Vars) > 0:
		matrix, ok := matrixOf(of.Vars, of.Splits)
		if !ok {
			return faultf(path+".matrix", "the variables of the %d tasks cannot be written as a matrix: submit the job's own file again", of.Tasks)
		}
		s.Matrix = matrix
	case len(of.Splits) > 0 && params(of.Splits):
		s.Each = &Each{}
		for i := range of.Splits {
			s.Each.Lines = append(s.Each.Lines, of.Splits[i].Param)
		}
	case len(of.Splits) > 0:
		s.Splits = of.Splits
	default:
		s.Tasks, s.List, s.Chunk = of.Tasks, of.List, of.Chunk
	}
	return nil
}

func (s *DocStage) recoverOutcome(of *Stage) {
	s.When = of.When
	if of.MaxFailures > 0 {
		s.MaxFailures = &Failures{Number: of.MaxFailures}
	}
	if of.KeepGoing {
		s.FailFast = new(bool)
	}
	if of.AllowFailure {
		s.AllowFailure = &of.AllowFailure
	}
}

func (f From) by() string {
	switch {
	case f.Partition:
		return ByPartition
	case f.Element:
		return ByTask
	}
	return ByAll
}

// params reports whether the splits have nothing but parameters.
func params(splits []Split) bool {
	for i := range splits {
		if len(splits[i].Ranges) > 0 {
			return false
		}
	}
	return true
}

// unless is the value, and nothing where it is what stands there anyway.
func unless[T comparable](usual, value T) T {
	var none T
	if value == usual {
		return none
	}
	return value
}

// unpaired is the inverse of pairs.
func unpaired(list []string) map[string]string {
	if len(list) == 0 {
		return nil
	}
	m := make(map[string]string, len(list))
	for _, pair := range list {
		key, value, _ := strings.Cut(pair, "=")
		m[key] = value
	}
	return m
}
