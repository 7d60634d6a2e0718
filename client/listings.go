package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
)

const (
	// listWithin bounds the wait for one answer of the slotter. An answer takes milliseconds, but only
	// the instance that leads answers. Without an answer the client folds the log.
	listWithin = time.Second
	// caughtUpWithin bounds the wait for a slotter that has not yet folded what the log held
	// when the question was asked.
	caughtUpWithin = 100 * time.Millisecond
)

// Hosts lists the hosts by name. The slotter answers from its state. If no slotter answers, the client
// folds the log, which gives the same list more slowly.
func (c *Client) Hosts(ctx context.Context) ([]subjects.HostLine, error) {
	return listed(ctx, c, subjects.AskHosts, subjects.HostsAsk{}, statePager(page.Hosts),
		func(ask *subjects.HostsAsk, answer *subjects.HostsAnswer) ([]subjects.HostLine, bool) {
			more := answer.Next > ask.After
			ask.After = answer.Next
			return answer.Hosts, more
		})
}

// Models lists the models of task times, and the types of jobs that were placed, by name, as Hosts lists
// hosts.
func (c *Client) Models(ctx context.Context) (models []*subjects.Fitted, types []subjects.TypeLine, err error) {
	models, err = listed(ctx, c, subjects.AskModels, subjects.ModelsAsk{}, statePager(page.Models),
		func(ask *subjects.ModelsAsk, answer *subjects.ModelsAnswer) (models []*subjects.Fitted, more bool) {
			if ask.After == "" {
				types = answer.Types
			}
			for _, m := range answer.Models {
				if m.Fitted != nil {
					m.Fitted.Type = m.Model
					models = append(models, m.Fitted)
				}
			}
			more = answer.Next > ask.After
			ask.After = answer.Next
			return models, more
		})
	return models, types, err
}

// answerOf is an answer that says up to which entry of the log it holds.
type answerOf[A any] interface {
	*A
	Head() *subjects.Folded
}

// pager makes the function that returns the pages of a listing of a folded state.
type pager[Q, P any] func(context.Context, *ledger.State) (func(*Q) P, error)

// statePager is the pager of a listing that needs nothing but the state.
func statePager[Q, P any](list func(*ledger.State, *Q) P) pager[Q, P] {
	return func(_ context.Context, s *ledger.State) (func(*Q) P, error) {
		return func(q *Q) P { return list(s, q) }, nil
	}
}

// listed gathers the pages of a listing from the slotter, or from the log if no slotter answers.
// next takes a page, and turns the question into that for the page after it, if there is one.
func listed[Q, A, T any, P answerOf[A]](
	ctx context.Context, c *Client, what string, first Q, fold pager[Q, P], next func(*Q, P) (lines []T, more bool),
) ([]T, error) {
	gather := func(answer func(*Q) (P, error)) (all []T, err error) {
		for ask := first; ; {
			got, err := answer(&ask)
			if err != nil {
				return nil, err
			}
			lines, more := next(&ask, got)
			if all = append(all, lines...); !more {
				return all, nil
			}
		}
	}
	end, err := c.bus.Log(ctx)
	if err != nil {
		return nil, err
	}
	all, err := gather(func(q *Q) (P, error) { return askSlotter[Q, A, P](ctx, c, what, q, end.Last) })
	if !errors.Is(err, ErrNoAnswer) {
		return all, err
	}
	s, err := c.state(ctx)
	if err != nil {
		return nil, err
	}
	folded, err := fold(ctx, s)
	if err != nil {
		return nil, err
	}
	return gather(func(q *Q) (P, error) { return folded(q), nil })
}

// askSlotter returns the slotter's answer once the slotter has folded the log up to an entry. The error
// is ErrNoAnswer if no such answer comes, or one that the client cannot use.
func askSlotter[Q, A any, P answerOf[A]](ctx context.Context, c *Client, what string, question *Q, end uint64) (P, error) {
	body, err := subjects.Marshal(question)
	if err != nil {
		return nil, err
	}
	give := time.Now().Add(caughtUpWithin)
	for wait := time.Millisecond; ; wait *= 2 {
		reply, err := c.ask(ctx, what, body, listWithin)
		if err != nil {
			return nil, err
		}
		var answer P = new(A)
		if err := subjects.Unmarshal(reply, answer); err != nil || len(reply) == 0 || answer.Head().Error != "" {
			return nil, ErrNoAnswer // another release, or an answer that no message holds
		}
		if answer.Head().Seq >= end {
			return answer, nil
		}
		if time.Now().Add(wait).After(give) {
			return nil, ErrNoAnswer
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

// ask returns a service's answer. The error is ErrNoAnswer if none answers in time.
func (c *Client) ask(ctx context.Context, what string, body []byte, most time.Duration) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	m, err := c.nc.RequestWithContext(within, c.pool.Ask(what), body)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("ask for %s: %w", what, ErrNoAnswer)
	case err != nil:
		return nil, fmt.Errorf("ask for %s: %w", what, err)
	}
	return m.Data, nil
}
