package admission

import (
	"lull/actors"
	"lull/admission/inbox"
	"lull/admission/pool"
	"lull/subjects"
	"lull/subjects/ledger"
)

const (
	// maxBytes bounds what one batch takes out of the inbox, if it is more
	// than one message.
	maxBytes = 4 << 20
	// maxLooks bounds the predictions of one step, some ten nanoseconds each. Before a queue of
	// 100,000 jobs a batch has twenty verdicts, and the next batch follows at once.
	maxLooks = 2_000_000
)

// batch is what one step decides, and what its verdicts share.
type batch struct {
	events    []subjects.Event
	newcomers []*pool.Load // admitted in this step: they stand in the queue until it ends
	next      uint64       // submission order of the next newcomer
	looks     int          // predictions made
}

func (b *batch) room() int { return actors.MaxBatch - len(b.events) }

// decide collects what the state calls for: verdicts on jobs that wait, the
// inbox's messages in order, and what became of earlier promises.
func (a *Actor) decide() []subjects.Event {
	b := &batch{next: a.facts.Ledger.Seq + 1}
	a.verdicts.settles = 0
	b.events = a.inbox.EarlyCancels.Decide(b.room())
	cancelUnmet(b, a.facts.Ledger)
	for j := range a.inbox.Undecided.All() {
		if b.room() == 0 || b.looks >= maxLooks {
			break
		}
		a.verdicts.verdict(b, pendingJob(j))
	}
	bytes := 0
	for _, m := range a.inbox.Pending {
		// A submission and its verdict stand together.
		if bytes += m.Size; b.room() < 2 || b.looks >= maxLooks || bytes > maxBytes && bytes > m.Size {
			break
		}
		if looksAtOthers(m) && len(b.events) > 0 {
			break
		}
		a.decideMessage(b, m)
	}
	for _, l := range b.newcomers {
		a.pool.Exit(l) // it comes back with its event
	}
	a.checker.check(b)
	return b.events
}

func pendingJob(j *ledger.Job) pool.Newcomer {
	return pool.Newcomer{ID: j.ID, Spec: j.Spec(), Inbox: j.Inbox, At: j.Submitted, Deadline: j.Deadline, Trace: j.Trace}
}

// decideMessage adds the event of a message.
func (a *Actor) decideMessage(b *batch, m *inbox.Message) {
	switch {
	case m.CancelsTasks():
		b.add(m.TasksCancelled(&a.facts.Config, a.facts.Ledger.AllRead(subjects.FormatTasksCancelled)))
	case m.From.Verb == subjects.RequestCancel:
		b.add(m.Cancelled(&a.facts.Config, m.Inbox))
	case m.From.Verb == subjects.RequestRetry:
		b.add(a.retried(b, m))
	case m.Err != nil:
		b.add(a.inbox.Invalid(m))
	default:
		a.decideSubmission(b, m)
	}
}

func (b *batch) add(e subjects.Event) { b.events = append(b.events, e) }

// decideSubmission adds the event of a submitted job, and its verdict if there is one yet.
func (a *Actor) decideSubmission(b *batch, m *inbox.Message) {
	e := m.Submitted(&a.facts.Config, a.inbox.NewID(m))
	if decideAmong(b, a.facts.Ledger, e) {
		return
	}
	b.add(e)
	a.verdicts.verdict(b, pool.Newcomer{ID: e.Job, Spec: &e.Spec, Inbox: m.Inbox, At: m.At, Deadline: m.Deadline(), Trace: m.Trace})
}
