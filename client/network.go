package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// ErrNoPlacer says that no placer answers.
var ErrNoPlacer = errors.New("no placer answers, so no job is placed: start one with lull placer (it is part of lull up), or wait a moment if it is just starting")

// Wired is the event that tells the pool of a network.
func Wired(n *spec.Network) *subjects.Wired {
	e := &subjects.Wired{Who: Who()}
	link := func(l spec.Link) subjects.WiredLink { return subjects.WiredLink{Name: l.Name, Up: l.Up, Down: l.Down} }
	for _, s := range n.Switches {
		e.Above = append(e.Above, link(s))
	}
	for _, r := range n.Racks {
		e.Racks = append(e.Racks, subjects.WiredRack{WiredLink: link(r.Link), Above: r.Above})
		for _, nic := range r.NICs {
			e.NICs = append(e.NICs, link(nic))
		}
	}
	byName := func(a, b subjects.WiredLink) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(e.Above, byName)
	slices.SortFunc(e.NICs, byName)
	slices.SortFunc(e.Racks, func(a, b subjects.WiredRack) int { return strings.Compare(a.Name, b.Name) })
	return e
}

// Links returns what the pool's links have left, as the placer that leads sees it, with those of hosts if
// they are asked for.
func (c *Client) Links(ctx context.Context, hosts bool) (*subjects.LinksAnswer, error) {
	answer := new(subjects.LinksAnswer)
	err := c.askPlacer(ctx, subjects.AskLinks, &subjects.LinksAsk{Hosts: hosts}, func(reply []byte) (bool, error) {
		err := subjects.Unmarshal(reply, answer)
		if err == nil && answer.Error != "" {
			err = errors.New(answer.Error)
		}
		return true, err
	})
	return answer, err
}

// Plan returns where a document's job would be placed now. Nothing is submitted.
func (c *Client) Plan(ctx context.Context, doc *spec.Doc) (*subjects.PlanAnswer, error) {
	body, err := doc.JSON()
	if err != nil {
		return nil, err
	}
	answer := new(subjects.PlanAnswer)
	err = c.askPlacer(ctx, subjects.AskPlan, &subjects.PlanAsk{ID: rand.Text(), Doc: body}, func(reply []byte) (bool, error) {
		*answer = subjects.PlanAnswer{}
		err := subjects.Unmarshal(reply, answer)
		if err == nil && answer.Error != "" {
			err = errors.New(answer.Error)
		}
		return answer.Done, err
	})
	return answer, err
}

// askPlacer asks until read says that the answer is complete. A placer may be busy, or another one takes
// over.
func (c *Client) askPlacer(ctx context.Context, what string, question any, read func([]byte) (bool, error)) error {
	body, err := subjects.Marshal(question)
	if err != nil {
		return err
	}
	if err := c.may(ctx, c.pool.Ask(what), "ask the placer"); err != nil {
		return err
	}
	const poll, patience = 100 * time.Millisecond, 10
	for silent := 0; ; {
		reply, err := c.ask(ctx, what, body, listWithin)
		switch {
		case errors.Is(err, ErrNoAnswer) && silent < patience:
			silent++
		case errors.Is(err, ErrNoAnswer):
			return ErrNoPlacer
		case err != nil:
			return err
		default:
			silent = 0
			done, err := read(reply)
			if err != nil {
				return fmt.Errorf("the placer: %w", err)
			}
			if done {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(poll):
		}
	}
}
