package slotter

import (
	"testing"

	"lull/subjects"
)

// Listings are answered with what the slotter has folded, and garbage with an error.
func TestListingsAreAnswered(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 2, 10, 1)
	p.submit("j", 0, tasks("one", 3))
	p.settle()
	hosts := ask[subjects.HostsAnswer](t, p, subjects.AskHosts, &subjects.HostsAsk{})
	if len(hosts.Hosts) != 1 || hosts.Hosts[0].Busy != 2 || hosts.Seq != p.a.facts.Ledger.Seq {
		t.Errorf("Hosts() = %+v, want one with two busy slots", hosts)
	}
	queues := ask[subjects.QueuesAnswer](t, p, subjects.AskQueues, &subjects.QueuesAsk{})
	if len(queues.Queues) != 1 || queues.Queues[0].Jobs != 1 || queues.Queues[0].Running != 2 || queues.Next != (subjects.QueuesFrom{}) {
		t.Errorf("Queues() = %+v, want one with a job and two running", queues)
	}
	job := ask[subjects.JobAnswer](t, p, subjects.AskJob, &subjects.JobAsk{Job: "j"})
	if d := job.Job; d == nil || d.Running != 2 || d.Stages[0].Waiting != 1 || d.Pool.Up != 1 || d.Pool.CPU.Hosts != 1 || job.Seq != p.a.facts.Ledger.Seq {
		t.Errorf("Job(j) = %+v, want two tasks running and one waiting", job)
	}
	for _, what := range []string{subjects.AskHosts, subjects.AskModels, subjects.AskQueues, subjects.AskJob} {
		for _, garbage := range [][]byte{nil, {0xc1}, []byte("hosts?")} {
			var head subjects.Folded
			if err := subjects.Unmarshal(p.a.Answer(what, garbage), &head); err != nil || head.Error == "" {
				t.Errorf("Answer(%s, % x) = %+v, %v, want an error in it", what, garbage, head, err)
			}
		}
	}
}
