package client_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger/page"
	"lull/subjects/spec"
)

// answer answers a question in place of a service.
func (r *rig) answer(t *testing.T, what string, with func(body []byte) any) {
	t.Helper()
	sub, err := r.nc.Subscribe(pool.Ask(what), func(m *nats.Msg) {
		reply := with(m.Data)
		body, ok := reply.([]byte)
		if !ok {
			var err error
			body, err = subjects.Marshal(reply)
			must(t, err)
		}
		must(t, m.Respond(body))
	})
	must(t, err)
	t.Cleanup(func() { _ = sub.Unsubscribe() }) // the server may be gone
	must(t, r.nc.Flush())
}

func (r *rig) names(t *testing.T, ctx context.Context) (names []string) {
	t.Helper()
	hosts, err := r.Hosts(ctx)
	must(t, err)
	for _, h := range hosts {
		names = append(names, h.Host)
	}
	return names
}

// Without a slotter, or with one that is of no help, the log gives the list.
func TestListingsFoldTheLogWhereNoSlotterAnswers(t *testing.T) {
	for name, reply := range map[string]func([]byte) any{
		"none":                        nil,
		"an earlier release":          func([]byte) any { return []byte{} },
		"bytes that cannot be read":   func([]byte) any { return []byte{0xc1} },
		"an answer that is too large": func([]byte) any { return subjects.TooLarge(subjects.AskHosts, 2<<20, 1<<20) },
		"one that has not caught up":  func([]byte) any { return &subjects.HostsAnswer{Folded: subjects.Folded{Seq: 1}} },
		"one that refuses page by page": func(body []byte) any {
			var ask subjects.HostsAsk
			if subjects.Unmarshal(body, &ask) == nil && ask.After == "" {
				return &subjects.HostsAnswer{Folded: subjects.Folded{Seq: 9}, Hosts: []subjects.HostLine{{Host: "a"}}, Next: "a"}
			}
			return &subjects.HostsAnswer{Folded: subjects.Folded{Error: "no"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, ctx := newRig(t)
			r.append(t, ctx, &subjects.Joined{Host: "a", Slots: 1}, &subjects.Joined{Host: "b", Slots: 1}, &subjects.Fitted{Type: "grep", A: 7},
				&subjects.Shared{Queue: "nightly", Weight: 2})
			if reply != nil {
				r.answer(t, subjects.AskHosts, reply)
			}
			if names := r.names(t, ctx); len(names) != 2 || names[0] != "a" || names[1] != "b" {
				t.Errorf("Hosts() = %v, want [a b]", names)
			}
			models, _, err := r.Models(ctx)
			if err != nil || len(models) != 1 || models[0].Type != "grep" || models[0].A != 7 {
				t.Errorf("Models() = %v, %v, want grep with A 7", models, err)
			}
			queues, err := r.Queues(ctx)
			if err != nil || len(queues) != 1 || queues[0].Queue != "nightly" || queues[0].Weight != 2 {
				t.Errorf("Queues() = %v, %v, want nightly with weight 2", queues, err)
			}
		})
	}
}

// The slotter's pages are put together. A Next that leads back ends the list.
func TestListingsFollowTheSlottersPages(t *testing.T) {
	r, ctx := newRig(t)
	r.append(t, ctx, &subjects.Joined{Host: "log", Slots: 1})
	pages := map[string]subjects.HostsAnswer{
		"":  {Hosts: []subjects.HostLine{{Host: "a"}, {Host: "b"}}, Next: "b"},
		"b": {Hosts: []subjects.HostLine{{Host: "c"}}, Next: "a"},
	}
	asked := 0
	r.answer(t, subjects.AskHosts, func(body []byte) any {
		var ask subjects.HostsAsk
		must(t, subjects.Unmarshal(body, &ask))
		answer := pages[ask.After]
		if asked++; asked > 1 { // first it has not folded the host yet
			answer.Seq = 1
		}
		return &answer
	})
	if names := r.names(t, ctx); len(names) != 3 || names[2] != "c" {
		t.Errorf("Hosts() = %v, want three, the last c", names)
	}
	r.answer(t, subjects.AskModels, func([]byte) any {
		return &subjects.ModelsAnswer{Folded: subjects.Folded{Seq: 1}, Models: []subjects.ModelLine{{Model: "sort", Fitted: &subjects.Fitted{A: 3}}, {Model: "none"}}}
	})
	models, _, err := r.Models(ctx)
	if err != nil || len(models) != 1 || models[0].Type != "sort" {
		t.Errorf("Models() = %v, %v, want sort", models, err)
	}
}

// A job is the same whether the slotter answers or the log is folded, and an id that is not one
// job's is refused.
func TestAJobIsFoundByTheBeginningOfItsID(t *testing.T) {
	r, ctx := newRig(t)
	submitted := func(id string) subjects.Event {
		return &subjects.Submitted{Job: id, At: 1, Spec: spec.Job{Name: id, Type: id,
			Stages: []spec.Stage{{Name: "one", Argv: []string{"true"}, Tasks: 3, CPU: 1, Memory: 1 << 20}}}}
	}
	r.append(t, ctx, &subjects.Joined{Host: "a", Slots: 1}, submitted("alpha-1"), submitted("alpha-2"), submitted("beta-1"))
	check := func() {
		t.Helper()
		job, err := r.Job(ctx, "be")
		if err != nil || job.Job != "beta-1" || len(job.Stages) != 1 || job.Stages[0].Waiting != 3 || job.Pool.Up != 1 {
			t.Errorf("Job(be) = %+v, %v, want beta-1 with three waiting", job, err)
		}
		if _, err := r.Job(ctx, "alpha"); !errors.Is(err, client.ErrSeveral) || !strings.Contains(err.Error(), "alpha-2, alpha-1") {
			t.Errorf("Job(alpha) = %v, want ErrSeveral with both", err)
		}
		for _, id := range []string{"gamma", ""} {
			if _, err := r.Job(ctx, id); !errors.Is(err, client.ErrNoJob) {
				t.Errorf("Job(%q) = %v, want ErrNoJob", id, err)
			}
		}
	}
	check()
	view, err := r.View(ctx)
	must(t, err)
	var asked atomic.Int32
	r.answer(t, subjects.AskJob, func(body []byte) any {
		asked.Add(1)
		var ask subjects.JobAsk
		must(t, subjects.Unmarshal(body, &ask))
		return page.Job(view.State, &ask, subjects.CPUSum{})
	})
	if check(); asked.Load() != 4 {
		t.Errorf("questions to the slotter = %d, want 4", asked.Load())
	}
}

// A queue's parts are added up. A place that leads back ends the list.
func TestQueuesAreAddedUp(t *testing.T) {
	r, ctx := newRig(t)
	rate := 5.0
	parts := map[subjects.QueuesFrom]subjects.QueuesAnswer{
		{}:          {Queues: []subjects.QueueLine{{Queue: "b", Weight: 2, Running: 1, Reads: &rate}}, Next: subjects.QueuesFrom{Host: "h"}},
		{Host: "h"}: {Queues: []subjects.QueueLine{{Queue: "a", Jobs: 1}, {Queue: "b", Weight: 2, Jobs: 2, Reads: &rate}}, Next: subjects.QueuesFrom{Job: 7}},
		{Job: 7}:    {Queues: []subjects.QueueLine{{Queue: "b", Weight: 2, Jobs: 3}}, Next: subjects.QueuesFrom{Host: "h"}},
	}
	r.answer(t, subjects.AskQueues, func(body []byte) any {
		var ask subjects.QueuesAsk
		must(t, subjects.Unmarshal(body, &ask))
		answer := parts[ask.From]
		return &answer
	})
	queues, err := r.Queues(ctx)
	must(t, err)
	if len(queues) != 2 || queues[1].Jobs != 5 || queues[1].Running != 1 || queues[1].Weight != 2 || *queues[1].Reads != 10 || queues[0].Reads != nil {
		t.Errorf("Queues() = %+v, want two, the second with 5 jobs, 1 running, weight 2 and 10 reads", queues)
	}
}

// A job that has just ended keeps in its line what was predicted when it was admitted.
func TestTheEndOfAnEndedJobIsNotPredicted(t *testing.T) {
	r, ctx := newRig(t)
	ended := false
	r.answer(t, subjects.AskJobs, func([]byte) any {
		line := subjects.JobLine{Job: "a", Finish: 640e9}
		if ended {
			line.Ended = 3e9
		}
		return &subjects.JobsAnswer{Jobs: []subjects.JobLine{line}}
	})
	if at, err := r.Predicted(ctx, "a"); err != nil || at.UnixNano() != 640e9 {
		t.Errorf("Predicted(a live job) = %v, %v, want 640 s", at, err)
	}
	ended = true
	if at, err := r.Predicted(ctx, "a"); err != nil || !at.IsZero() {
		t.Errorf("Predicted(an ended job) = %v, %v, want none", at, err)
	}
}
