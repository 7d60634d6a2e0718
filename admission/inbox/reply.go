package inbox

import (
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// reply answers a message of the inbox. What admission does by itself has none, and inbox is 0.
func reply(inbox uint64, v subjects.Verdict) []actors.Reply {
	if inbox == 0 {
		return nil
	}
	return []actors.Reply{{Inbox: inbox, Verdict: v}}
}

// trying is what the submitter of a job that is tried is told at once.
const trying = "too little is known of how long its tasks take: a few of them run first, and the verdict follows from them"

// verdictOf returns the ledger's verdict on a job in the form for its submitter.
func verdictOf(j *ledger.Job) subjects.Verdict {
	v := subjects.Verdict{Job: j.ID, Code: j.Code, Text: j.Text, Deadline: Timestamp(j.Deadline), Slack: j.Slack}
	switch {
	case j.Phase == ledger.Trying:
		v.Verdict, v.Text = subjects.VerdictTrying, trying
	case j.Phase == ledger.Rejected:
		v.Verdict, v.Earliest = subjects.VerdictRejected, Timestamp(j.Earliest)
	case j.Phase == ledger.Cancelled && (j.Admitted == 0 || j.Finish == 0): // before its verdict
		v.Verdict = subjects.VerdictCancelled
	default:
		v.Verdict, v.Finish = subjects.VerdictAdmitted, Timestamp(j.Finish)
	}
	return v
}

// Timestamp is a time as verdicts give it, "" for none.
func Timestamp(at int64) string {
	if at == 0 {
		return ""
	}
	return time.Unix(0, at).UTC().Format(time.RFC3339)
}

// Recall is the verdict on a submission that was repeated, or on another one
// under the same id. Of a job that is tried it says so; the verdict follows.
func (in *Inbox) Recall(m *Message) (subjects.Verdict, bool) {
	j := in.sent(m)
	switch {
	case j == nil:
		return subjects.Verdict{}, false
	case !m.matches(j):
		return duplicate(j.ID), true
	}
	return verdictOf(j), j.Phase != ledger.Submitted
}
