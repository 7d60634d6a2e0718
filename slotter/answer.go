package slotter

import (
	"fmt"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Answer replies to AskDocument, AskOutputs, AskWanted, AskKept and AskDataNodes, in msgpack; nil to anything else.
func (a *Actor) Answer(ask string, body []byte) []byte {
	switch ask {
	case subjects.AskOutputs:
		return reply(a.answerOutputs(body))
	case subjects.AskDocument:
		return reply(a.answerDocument(body))
	case subjects.AskWanted:
		return a.answerWanted(body)
	case subjects.AskKept:
		return reply(a.answerKept(body))
	case subjects.AskDataNodes:
		return reply(a.answerDataNodes(body))
	}
	return nil
}

func reply(answer any) []byte {
	body, err := subjects.Marshal(answer)
	if err != nil {
		return nil
	}
	return body
}

func (a *Actor) answerOutputs(body []byte) *subjects.OutputsAnswer {
	var ask subjects.OutputsAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.OutputsAnswer{Error: err.Error()}
	}
	j := a.state.Job(ask.Job)
	switch {
	case j == nil || int64(ask.Stage) >= int64(len(j.Stages)):
		return &subjects.OutputsAnswer{Error: fmt.Sprintf("job %.200q with a stage %d is unknown", ask.Job, ask.Stage)}
	case !j.Stages[ask.Stage].Complete():
		return &subjects.OutputsAnswer{Error: fmt.Sprintf("stage %d of job %s is not complete", ask.Stage, j.ID)}
	}
	return a.outputs(j, &ask)
}

// answerDocument returns the document of a job to hosts, for jobs whose entry was trimmed
// from the log.
func (a *Actor) answerDocument(body []byte) *subjects.DocumentAnswer {
	var ask subjects.DocumentAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.DocumentAnswer{Error: err.Error()}
	}
	j := a.state.Job(ask.Job)
	if j == nil || ask.Seq != 0 && j.Seq != ask.Seq || len(j.Shape.Stages) == 0 {
		return &subjects.DocumentAnswer{Error: fmt.Sprintf("job %q with a document at entry %d is not known any more", ask.Job, ask.Seq)}
	}
	return &subjects.DocumentAnswer{Submitted: &subjects.Submitted{
		Spec: *j.Spec(), Digest: j.Digest, User: j.User, Client: j.Client, Trace: j.Trace,
		Inbox: j.Inbox, At: j.Submitted, Deadline: j.Deadline,
	}}
}

// maxOutputs is how many outputs one answer lists. Each takes 70 bytes, and its
// host's address, once, some 200; a message holds a mebibyte.
const maxOutputs = 2000

// maxLooks is how many tasks one answer looks at: those that wrote no file are not
// listed, and there may be millions. It takes a millisecond.
const maxLooks = 100_000

func (a *Actor) outputs(j *ledger.Job, ask *subjects.OutputsAsk) *subjects.OutputsAnswer {
	answer := &subjects.OutputsAnswer{}
	index := map[*ledger.Host]uint32{}
	end := min(uint64(ask.First)+maxLooks, uint64(j.Stages[ask.Stage].Len()))
	if end < uint64(j.Stages[ask.Stage].Len()) {
		answer.Next = uint32(end)
	}
	for kept := range a.state.OutputsOf(j, int(ask.Stage), ask.First, uint32(end)) {
		if len(answer.Outputs) == maxOutputs {
			answer.Next = kept.Task
			break
		}
		at, ok := index[kept.Host]
		if !ok {
			at = uint32(len(answer.Hosts))
			index[kept.Host] = at
			from := &kept.Host.Joined
			answer.Hosts = append(answer.Hosts, subjects.OutputHost{Host: kept.Host.Name, URL: from.URL, Token: from.Token})
		}
		answer.Outputs = append(answer.Outputs, subjects.Output{
			Task: kept.Task, Attempt: kept.Attempt, Host: at, Manifest: kept.Manifest,
		})
	}
	return answer
}

// answerWanted gives no answer to a question it cannot read: the host that asks
// deletes what is not wanted.
func (a *Actor) answerWanted(body []byte) []byte {
	var ask subjects.WantedAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return nil
	}
	answer := &subjects.WantedAnswer{}
	for _, id := range ask.Jobs {
		if j := a.state.Job(id); j != nil && a.wanted(j) {
			answer.Jobs = append(answer.Jobs, id)
		}
	}
	return reply(answer)
}

// wanted reports whether hosts must keep the job's outputs. Of a job of which only a
// summary is left, the ledger no longer has the hosts that keep them.
func (a *Actor) wanted(j *ledger.Job) bool {
	return !j.Phase.Ended() || len(j.Stages) > 0 && a.now-j.Ended < int64(a.cfg.Retention)
}
