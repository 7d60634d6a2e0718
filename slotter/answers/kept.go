package answers

import (
	"cmp"
	"fmt"

	"lull/subjects"
	"lull/subjects/ledger"
)

// kept lists the outputs that a host is to have.
func (f *Facts) kept(body []byte) *subjects.KeptAnswer {
	var ask subjects.KeptAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.KeptAnswer{Error: err.Error()}
	}
	h := f.State.Host(ask.Host)
	switch {
	case !f.State.Reads(subjects.FormatMissing, ""): // they would stop at outputmissing, which the host writes next
		return &subjects.KeptAnswer{Error: "admission or slotter is of an earlier release: upgrade them, then outputs that vanish are made again"}
	case h == nil:
		return &subjects.KeptAnswer{Error: fmt.Sprintf("host %.200q is unknown", ask.Host), Unknown: true}
	}
	page := &keptPage{host: h, from: ask.From}
	for j := range f.Tried(ask.From.Job) {
		for stage := range j.Stages {
			if page.add(f.State, j, uint32(stage)); page.Next != (subjects.KeptFrom{}) {
				return &page.KeptAnswer
			}
		}
	}
	return &page.KeptAnswer
}

// keptPage is an answer that is being filled.
type keptPage struct {
	subjects.KeptAnswer
	host *ledger.Host
	from subjects.KeptFrom
}

// add lists a stage's outputs, as far as they fit.
func (p *keptPage) add(s *ledger.State, j *ledger.Job, stage uint32) {
	at := subjects.KeptFrom{Job: j.Seq, TaskID: subjects.TaskID{Stage: stage}}
	switch cmp.Or(cmp.Compare(at.Job, p.from.Job), cmp.Compare(stage, p.from.Stage)) {
	case -1:
		return // on an earlier page
	case 0:
		at.Task = p.from.Task
	}
	for kept := range s.Needed(j, int(stage), p.host, at.Task) {
		at.Task = kept.Task
		if len(p.Outputs) == maxOutputs {
			p.Next = at
			return
		}
		p.Outputs = append(p.Outputs, subjects.KeptOutput{Job: j.ID, TaskID: at.TaskID, Attempt: kept.Attempt, Manifest: kept.Manifest})
	}
}
