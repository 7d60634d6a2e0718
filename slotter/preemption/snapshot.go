package preemption

import (
	"fmt"

	"lull/slotter/facts"
	"lull/slotter/pacing"
	"lull/slotter/queues"
)

// Form is what a snapshot keeps of how jobs make way for each other.
type Form struct {
	Heeded  int64          `msgpack:"heeded,omitempty"`
	Divided int64          `msgpack:"divided,omitempty"`
	Weighed int64          `msgpack:"weighed,omitempty"`
	Lone    int64          `msgpack:"lone,omitempty"`
	Wants   []queues.Unmet `msgpack:"wants,omitempty"`  // of the live jobs, by submission
	Spared  []spared       `msgpack:"spared,omitempty"` // see pacing.Stage
}

// spared are the attempts of a stage up to which none is slowed.
type spared struct {
	Job     int    `msgpack:"job"` // of the live ones, by submission
	Stage   int    `msgpack:"stage"`
	Attempt uint64 `msgpack:"attempt"`
}

// Save returns what a snapshot keeps.
func (p *Preemption) Save() Form {
	form := Form{Heeded: p.ableAt, Divided: p.pacer.Divided, Weighed: p.pacer.Weighed, Lone: p.pacer.Lone}
	claims, i := false, -1
	for _, j := range p.Live() {
		if i++; j == nil {
			form.Wants = append(form.Wants, queues.Unmet{})
			continue
		}
		form.Wants, claims = append(form.Wants, j.Unmet), claims || j.Unmet.Since != 0
		for k := range j.Pace.Stages {
			if at := j.Pace.Stages[k].Spared; at != 0 {
				form.Spared = append(form.Spared, spared{i, k, at})
			}
		}
	}
	if !claims {
		form.Wants = nil
	}
	return form
}

// Load takes over what a snapshot kept.
func (p *Preemption) Load(form *Form) error {
	p.ableAt, p.pacer.Times = form.Heeded, pacing.Times{Divided: form.Divided, Weighed: form.Weighed, Lone: form.Lone}
	p.pacer.DivideSoon() // rates are not kept: they are divided at once
	var live []*facts.Job
	for _, j := range p.Live() {
		live = append(live, j)
	}
	if len(form.Wants) > 0 && len(form.Wants) != len(live) {
		return fmt.Errorf("slotter snapshot: it has the claims of %d of %d live jobs", len(form.Wants), len(live))
	}
	for i, w := range form.Wants {
		if live[i] != nil {
			live[i].Unmet = w
		}
	}
	for _, s := range form.Spared {
		if s.Job < 0 || s.Job >= len(live) || s.Stage < 0 || live[s.Job] != nil && s.Stage >= len(live[s.Job].Stages) {
			return fmt.Errorf("slotter snapshot: it spares stage %d of live job %d from slowing: there are %d live jobs, or the job has fewer stages", s.Stage, s.Job, len(live))
		}
		if live[s.Job] != nil {
			live[s.Job].Pace.Stages[s.Stage].Spared = s.Attempt
		}
	}
	return nil
}
