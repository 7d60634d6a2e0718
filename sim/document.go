package sim

import (
	"strings"
	"time"

	"lull/subjects/spec"
)

// document is a job as its client sends it, so that admission reads it as it
// reads any. What a document cannot leave out, a command, is `true` unless it
// is given; stages that lull adds by itself are left to lull.
func document(j *spec.Job) ([]byte, error) {
	d := spec.Doc{Name: j.Name, Type: j.Type, Queue: j.Queue, Output: j.Output, Origin: j.Origin}
	switch {
	case j.DeadlineIn != 0:
		d.Deadline = j.DeadlineIn.String()
	case j.DeadlineAt != 0:
		d.Deadline = time.Unix(0, j.DeadlineAt).UTC().Format(time.RFC3339Nano)
	}
	for i := range j.Stages {
		if !j.Stages[i].Publish {
			d.Stages = append(d.Stages, docStage(j, &j.Stages[i]))
		}
	}
	return d.JSON()
}

func docStage(j *spec.Job, s *spec.Stage) spec.DocStage {
	d := spec.DocStage{
		Name: s.Name, Command: s.Argv, Env: unpaired(s.Env), Dir: s.Dir,
		Tasks: s.Tasks, List: s.List, Chunk: s.Chunk, Splits: s.Splits,
		CPU: s.CPU, Memory: s.Memory, Where: unpaired(s.Where), Retries: &s.Retries,
		Backoff: spec.Duration(s.Backoff), Timeout: spec.Duration(s.Timeout), Estimate: spec.Duration(s.Estimate),
		Bytes: s.Bytes, Sources: s.Sources,
	}
	if len(d.Command) == 0 {
		d.Command = []string{"true"}
	}
	if len(s.Splits) > 0 {
		d.Tasks = 0 // one a split
	}
	for _, f := range s.From {
		d.From = append(d.From, docFrom(j, f))
	}
	for _, after := range s.After {
		d.After = append(d.After, j.Stages[after].Name)
	}
	return d
}

func docFrom(j *spec.Job, f spec.From) spec.DocFrom {
	by := spec.ByAll
	switch {
	case f.Partition:
		by = spec.ByPartition
	case f.Element:
		by = spec.ByTask
	}
	return spec.DocFrom{Stage: j.Stages[f.Stage].Name, By: by}
}

// unpaired is the inverse of key=value.
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
