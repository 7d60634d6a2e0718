package answers

import (
	"fmt"

	"lull/subjects"
	"lull/subjects/ledger"
)

// outputs says where the outputs of a complete stage are.
func (f *Facts) outputs(body []byte) *subjects.OutputsAnswer {
	var ask subjects.OutputsAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.OutputsAnswer{Error: err.Error()}
	}
	j := f.State.Job(ask.Job)
	switch {
	case j == nil || int64(ask.Stage) >= int64(len(j.Stages)):
		return &subjects.OutputsAnswer{Error: fmt.Sprintf("job %.200q with a stage %d is unknown", ask.Job, ask.Stage)}
	case !j.Over(int(ask.Stage)):
		return &subjects.OutputsAnswer{Error: fmt.Sprintf("stage %d of job %s is not complete", ask.Stage, j.ID)}
	}
	return f.outputsOf(j, &ask)
}

// maxOutputs is how many outputs one answer lists. Each takes 70 bytes, and its
// host's address, once, some 200; a message holds a mebibyte.
const maxOutputs = 2000

// maxLooks is how many tasks one answer looks at: those that wrote no file are not
// listed, and there may be millions. It takes a millisecond.
const maxLooks = 100_000

func (f *Facts) outputsOf(j *ledger.Job, ask *subjects.OutputsAsk) *subjects.OutputsAnswer {
	answer := &subjects.OutputsAnswer{}
	index := map[*ledger.Host]uint32{}
	end := min(uint64(ask.First)+maxLooks, uint64(j.Stages[ask.Stage].Len()))
	if ask.Count > 0 {
		end = min(end, uint64(ask.First)+min(uint64(ask.Count), maxLooks))
	} else if end < uint64(j.Stages[ask.Stage].Len()) {
		answer.Next = uint32(end)
	}
	for kept := range f.State.OutputsOf(j, int(ask.Stage), ask.First, uint32(end)) {
		if len(answer.Outputs) == maxOutputs {
			answer.Next = kept.Task
			break
		}
		at, ok := index[kept.Host]
		if !ok {
			at = uint32(len(answer.Hosts))
			index[kept.Host] = at
			from := &kept.Host.Joined
			answer.Hosts = append(answer.Hosts, subjects.OutputHost{Host: kept.Host.Name, URL: from.URL, Token: from.Token, Rack: subjects.Rack(from.Labels)})
		}
		answer.Outputs = append(answer.Outputs, subjects.Output{
			Task: kept.Task, Attempt: kept.Attempt, Host: at, Manifest: kept.Manifest,
		})
	}
	return answer
}
