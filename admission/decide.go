package admission

import (
	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

const (
	// maxBytes bounds what one batch takes out of the inbox, if it is more
	// than one message.
	maxBytes = 4 << 20
	// maxLooks bounds the predictions of one step, some ten nanoseconds each. Before a queue of
	// 100,000 jobs a batch has twenty verdicts, and the next batch follows at once.
	maxLooks = 2_000_000
)

// bench is what one step's verdicts share.
type bench struct {
	events    []subjects.Event
	newcomers []*load // admitted in this step: they stand in the queue until it ends
	next      uint64  // submission order of the next newcomer
	looks     int     // predictions made
}

func (b *bench) room() int { return actors.MaxBatch - len(b.events) }

// newcomer is a job without a verdict.
type newcomer struct {
	id       string
	spec     *spec.Job
	inbox    uint64
	at       int64 // when it was submitted
	deadline int64
	trace    string
}

// decide collects what the state calls for: verdicts on jobs that wait, the
// inbox's messages in order, and what became of earlier promises.
func (a *Actor) decide() []subjects.Event {
	b := &bench{next: a.state.Seq + 1}
	a.verdicts.settles = 0
	a.inbox.urgents.hurry(b)
	for j := range a.inbox.open.All() {
		if b.room() == 0 || b.looks >= maxLooks {
			break
		}
		a.verdicts.verdict(b, pendingJob(j))
	}
	bytes := 0
	for _, m := range a.inbox.pending {
		// A submission and its verdict stand together.
		if bytes += m.size; b.room() < 2 || b.looks >= maxLooks || bytes > maxBytes && bytes > m.size {
			break
		}
		a.message(b, m)
	}
	for _, l := range b.newcomers {
		a.pool.exit(l) // it comes back with its event
	}
	a.checker.check(b)
	return b.events
}

func pendingJob(j *ledger.Job) newcomer {
	return newcomer{j.ID, j.Spec(), j.Inbox, j.Submitted, j.Deadline, j.Trace}
}

// message makes a message an event.
func (a *Actor) message(b *bench, m *message) {
	switch {
	case m.from.Verb == subjects.RequestCancel:
		b.add(a.cfg.cancelled(m, m.inbox))
	case m.from.Verb == subjects.RequestRetry:
		b.add(&subjects.Retried{Job: m.job, Inbox: m.inbox, User: a.cfg.user(m), Who: a.cfg.claim(m, m.request.Who), Why: m.request.Why})
	case m.err != nil:
		b.add(a.inbox.invalid(m))
	default:
		a.submission(b, m)
	}
}

func (c *Config) cancelled(m *message, inbox uint64) *subjects.Cancelled {
	return &subjects.Cancelled{Job: m.job, Inbox: inbox, User: c.user(m), Who: c.claim(m, m.request.Who), Why: m.request.Why}
}

func (b *bench) add(e subjects.Event) { b.events = append(b.events, e) }

// invalid rejects a message that holds no valid job, or that the log cannot keep.
func (in *inbox) invalid(m *message) *subjects.Rejected {
	if m.name == "" {
		m.job = subjects.JobID("request", "", "", m.inbox)
	}
	return &subjects.Rejected{
		Job: in.fresh(m), Name: m.name, User: in.cfg.user(m), Client: in.cfg.claim(m, m.client), Inbox: m.inbox, Trace: m.trace,
		Code: subjects.ReasonInvalid, Text: clip(m.err.Error()),
	}
}

// fresh returns an unused id for a message's job. Without a message id the job's id follows from
// the message's sequence in the inbox, and a job of the pool's earlier inbox may already have it.
func (in *inbox) fresh(m *message) string {
	if in.state.Job(m.job) != nil {
		m.job = subjects.JobIDAgain(m.name, in.state.InboxBorn, m.inbox)
	}
	return m.job
}

// submission takes a job into the log, with its verdict if there is one yet.
func (a *Actor) submission(b *bench, m *message) {
	deadline, id := m.deadline(), a.inbox.fresh(m)
	b.add(&subjects.Submitted{
		Job: id, Spec: *m.spec, Digest: m.digest, User: a.cfg.user(m), Client: a.cfg.claim(m, m.client), Inbox: m.inbox,
		At: m.at, Deadline: deadline, Trace: m.trace,
	})
	a.verdicts.verdict(b, newcomer{id, m.spec, m.inbox, m.at, deadline, m.trace})
}
