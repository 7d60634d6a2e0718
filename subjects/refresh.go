package subjects

import (
	"errors"

	"lull/subjects/spec"
)

// Span is a run of a stage's tasks.
type Span struct {
	First uint32 `msgpack:"first" json:"first"` // index of the first task
	Count uint32 `msgpack:"count" json:"count"` // of tasks
}

// AppendTask adds a task behind all that are in spans.
func AppendTask(spans []Span, task uint32) []Span {
	if last := len(spans) - 1; last >= 0 && spans[last].First+spans[last].Count == task {
		spans[last].Count++
		return spans
	}
	return append(spans, Span{First: task, Count: 1})
}

// Repinned is a stage whose inputs, or files sent along, were pinned anew for a retry.
type Repinned struct {
	Stage uint32 `json:"stage"` // index in the document
	// Splits or List, with Chunk, take the place of the stage's; without both, its splits stay.
	Splits []spec.Split `json:"splits,omitempty"`
	List   string       `json:"list,omitempty"`
	Chunk  uint32       `json:"chunk,omitempty"`
	// Bytes is the new input of a task on average; 0 if it stays.
	Bytes int64 `json:"bytes,omitempty"`
	// Sent takes the place of the files that were sent along; nil if they stay.
	Sent []spec.Sent `json:"sent,omitempty"`
	// Tasks are those whose inputs changed.
	Tasks []Span `json:"tasks"`
}

// StageTasks names tasks of a stage.
type StageTasks struct {
	Stage uint32 `msgpack:"stage" json:"stage"` // index in the document
	Tasks []Span `msgpack:"tasks" json:"tasks"` // by index
}

// Count is how many tasks they are.
func (t StageTasks) Count() (n int) {
	for _, span := range t.Tasks {
		n += int(span.Count)
	}
	return n
}

// Repin returns a copy of the job with the new pins, and the tasks whose inputs changed. The error says what does not
// fit the job.
func Repin(job *spec.Job, pins []Repinned) (*spec.Job, []StageTasks, error) {
	fresh := *job
	fresh.Stages = append([]spec.Stage(nil), job.Stages...)
	var again []StageTasks
	for i := range pins {
		p := &pins[i]
		if int64(p.Stage) >= int64(len(fresh.Stages)) || fresh.Stages[p.Stage].Publish {
			return nil, nil, errors.New("the job has no such stage")
		}
		p.pin(&fresh.Stages[p.Stage])
		again = append(again, StageTasks{p.Stage, p.Tasks})
	}
	return &fresh, again, fresh.Validate()
}

func (p *Repinned) pin(st *spec.Stage) {
	switch {
	case len(p.Splits) > 0:
		st.Splits, st.List, st.Chunk = p.Splits, "", 0
	case p.List != "":
		st.Splits, st.List, st.Chunk = nil, p.List, p.Chunk
	}
	if p.Bytes > 0 {
		st.Bytes = p.Bytes
	}
	if p.Sent != nil {
		st.Sent = p.Sent
	}
}

func (e *Retried) check() error {
	if e.Doc == nil {
		return nil
	}
	e.Doc.Job = e.Job
	return e.Doc.check()
}
