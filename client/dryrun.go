package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

// forecastWithin bounds the wait for a forecast. Admission answers within milliseconds, but only the
// instance that leads does.
const forecastWithin = 5 * time.Second

// Forecast asks admission for its verdict on a document with counted tasks. Nothing is submitted.
func (c *Client) Forecast(ctx context.Context, doc *spec.Doc) (*subjects.Forecast, error) {
	body, err := doc.JSON()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, forecastWithin)
	defer cancel()
	if err := c.may(ctx, c.pool.Ask(subjects.AskAdmission), "ask for the verdict on a job"); err != nil {
		return nil, err
	}
	m, err := c.nc.RequestWithContext(ctx, c.pool.Ask(subjects.AskAdmission), body)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("no admission answers for pool %s: start its admission with lull up, or lull admission", c.pool)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("admission of pool %s has not answered within %s: it may be taking over from another instance, try again", c.pool, humane.Span(forecastWithin))
	case err != nil:
		return nil, fmt.Errorf("ask admission: %w", err)
	}
	var f subjects.Forecast
	if err := json.Unmarshal(m.Data, &f); err != nil {
		return nil, fmt.Errorf("the answer of admission is not readable: %w", err)
	}
	if f.Error != "" {
		return nil, fmt.Errorf("admission cannot answer: %s", f.Error)
	}
	return &f, nil
}

// settleWithin bounds the time after a pool's start until its forecasts no longer change.
const settleWithin = 40 * time.Second

// Settled is Forecast for a pool that may have just started. It asks again until admission answers and no
// host has just joined.
func (c *Client) Settled(ctx context.Context, doc *spec.Doc) (*subjects.Forecast, error) {
	until := time.Now().Add(settleWithin)
	for {
		f, err := c.Forecast(ctx, doc)
		wait := time.Second / 5
		if err == nil {
			wait = time.Duration(f.Again * float64(time.Second))
		}
		if err == nil && wait == 0 || time.Now().Add(wait).After(until) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return f, context.Cause(ctx)
		case <-time.After(max(wait, time.Second/20)):
		}
	}
}

// Count is Expand for a forecast: it looks up how many tasks the document makes of this machine's
// files and how much they read, and stores nothing. In place of their splits it leaves the name of
// a list that does not exist.
func Count(ctx context.Context, doc *spec.Doc, folder string) error {
	if err := localisePaths(ctx, doc, folder); err != nil {
		return err
	}
	if err := fillFiles(ctx, doc, folder, nameFiles); err != nil {
		return err
	}
	for _, need := range doc.Needs() {
		l, err := expandNeed(ctx, need, folder)
		if err != nil {
			return faultOf(ctx, doc, need, err)
		}
		if l.tasks > spec.MaxTasks {
			return tooMany(doc, need)
		}
		doc.FillReading(need.Stage, l.bytes, l.dataNodes)
		if l.tasks == 0 {
			doc.FillSplits(need.Stage, nil)
			continue
		}
		doc.FillList(need.Stage, uint32(l.tasks), l.chunk, "dry-run")
	}
	return nil
}
