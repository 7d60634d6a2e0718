package answers

import (
	"lull/subjects"
	"lull/subjects/ledger"
)

// wanted lists those of some jobs of which hosts must keep the outputs. A question that
// cannot be read gets no answer, because the host that asks deletes what is not listed.
func (f *Facts) wanted(body []byte) []byte {
	var ask subjects.WantedAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return nil
	}
	answer := &subjects.WantedAnswer{}
	for _, id := range ask.Jobs {
		if j := f.State.Job(id); j != nil && f.mustKeepOutputs(j) {
			answer.Jobs = append(answer.Jobs, id)
		}
	}
	return reply(answer)
}

// mustKeepOutputs reports whether hosts must keep the job's outputs. Of a job of which only a
// summary is left, the ledger no longer has the hosts that keep them.
func (f *Facts) mustKeepOutputs(j *ledger.Job) bool {
	return !j.Phase.Ended() || len(j.Stages) > 0 && f.Now-j.Ended < int64(f.Retention)
}
