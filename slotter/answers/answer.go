package answers

import (
	"iter"
	"time"

	"lull/slotter/datanode"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
	"lull/subjects/tct"
)

// Facts are what answers are made of, as the slotter has folded them.
type Facts struct {
	State     *ledger.State
	Now       int64         // Unix nanoseconds
	Retention time.Duration // of an ended job's outputs
	// Tried yields the live jobs with any attempt yet, by submission, from an entry of the log
	// on. Others among them do no harm.
	Tried     func(seq uint64) iter.Seq[*ledger.Job]
	DataNodes *datanode.Nodes
	Curves    *tct.Curves
	Usage     func(host string) iter.Seq[subjects.HostUsage] // of the hosts after this one, by name
	Speed     page.Speed
	// Beat returns the time of the last heartbeat of the present host of a name, in Unix
	// nanoseconds.
	Beat func(host string) int64
	// Movable lists the attempts of a host that another host could run now.
	Movable func(host string) []uint64
}

// Answer replies to the questions that the package's documentation lists, in msgpack; nil to anything else.
func (f *Facts) Answer(ask string, body []byte) []byte {
	switch ask {
	case subjects.AskOutputs:
		return reply(f.outputs(body))
	case subjects.AskDocument:
		return reply(f.document(body))
	case subjects.AskWanted:
		return f.wanted(body)
	case subjects.AskKept:
		return reply(f.kept(body))
	case subjects.AskRoom:
		return reply(f.room(body))
	case subjects.AskDataNodes:
		return reply(f.nodes(body))
	case subjects.AskUsage:
		return reply(f.usage(body))
	case subjects.AskHosts:
		return reply(answerListing(body, f.hosts))
	case subjects.AskModels:
		return reply(answerListing(body, func(ask *subjects.ModelsAsk) *subjects.ModelsAnswer { return page.Models(f.State, ask) }))
	case subjects.AskTenants:
		return reply(answerListing(body, func(ask *subjects.TenantsAsk) *subjects.TenantsAnswer { return page.Tenants(f.State, ask) }))
	case subjects.AskQueues:
		return reply(answerListing(body, func(ask *subjects.QueuesAsk) *subjects.QueuesAnswer { return page.Queues(f.State, ask, f.Speed) }))
	case subjects.AskJob:
		return reply(answerListing(body, func(ask *subjects.JobAsk) *subjects.JobAnswer { return page.Job(f.State, ask, f.cpu()) }))
	}
	return nil
}

// cpu is what the hosts use now.
func (f *Facts) cpu() (sum subjects.CPUSum) {
	for h := range f.Usage("") {
		sum.Add(h.Usage)
	}
	return sum
}

// answerListing answers a listing's question.
func answerListing[Q, A any, P interface {
	*A
	Head() *subjects.Folded
}](body []byte, answer func(*Q) P) P {
	var ask Q
	if err := subjects.Unmarshal(body, &ask); err != nil {
		var refused P = new(A)
		refused.Head().Error = err.Error()
		return refused
	}
	return answer(&ask)
}

func reply(answer any) []byte {
	body, err := subjects.Marshal(answer)
	if err != nil {
		return nil
	}
	return body
}
