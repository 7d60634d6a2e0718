package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"lull/subjects"
	"lull/subjects/ledger/page"
)

// Tenants lists what was learnt of tenants, by name, and how the last generation ended, nil
// before the first.
func (c *Client) Tenants(ctx context.Context) (lines []subjects.TenantLine, last *subjects.PoolClassified, err error) {
	lines, err = listed(ctx, c, subjects.AskTenants, subjects.TenantsAsk{}, statePager(page.Tenants),
		func(ask *subjects.TenantsAsk, answer *subjects.TenantsAnswer) ([]subjects.TenantLine, bool) {
			last = answer.Last
			for i := range answer.Tenants {
				if class := answer.Tenants[i].Class; class != nil {
					class.Tenant = answer.Tenants[i].Tenant
				}
			}
			more := answer.Next > ask.After
			ask.After = answer.Next
			return answer.Tenants, more
		})
	return lines, last, err
}

// Owned is the event that lists the tenants of hosts. A host whose tenant is "" is left out: it is a tenant of its own.
func Owned(tenants map[string]string) *subjects.Owned {
	of := map[string][]string{}
	for host, tenant := range tenants {
		if tenant != "" {
			of[tenant] = append(of[tenant], host)
		}
	}
	e := &subjects.Owned{Who: Who()}
	for _, tenant := range slices.Sorted(maps.Keys(of)) {
		slices.Sort(of[tenant])
		e.Tenants = append(e.Tenants, subjects.OwnedHosts{Tenant: tenant, Hosts: of[tenant]})
	}
	return e
}

// ErrNoClassifier says that no classifier answers.
var ErrNoClassifier = errors.New("no classifier answers: start lull classifier (it is part of lull up), or wait a moment if it is just starting")

// Classify asks the classifier for a generation of classes now, and waits until it is made. With
// dry nothing is written to the log.
func (c *Client) Classify(ctx context.Context, dry bool) (*subjects.ClassifyAnswer, error) {
	body, err := subjects.Marshal(&subjects.ClassifyAsk{ID: rand.Text(), Dry: dry})
	if err != nil {
		return nil, err
	}
	if err := c.may(ctx, c.pool.Ask(subjects.AskClassify), "have tenants classified"); err != nil {
		return nil, err
	}
	const poll, patience = 100 * time.Millisecond, 10
	for silent := 0; ; {
		reply, err := c.ask(ctx, subjects.AskClassify, body, listWithin)
		switch {
		case errors.Is(err, ErrNoAnswer) && silent < patience: // it may be busy, or another takes over
			silent++
		case errors.Is(err, ErrNoAnswer):
			return nil, ErrNoClassifier
		case err != nil:
			return nil, err
		default:
			silent = 0
			answer := new(subjects.ClassifyAnswer)
			if err := subjects.Unmarshal(reply, answer); err != nil {
				return nil, fmt.Errorf("the classifier's answer: %w", err)
			}
			if answer.Error != "" {
				return nil, errors.New(answer.Error)
			}
			if answer.Done {
				return answer, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(poll):
		}
	}
}
