package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"lull/actors"
	"lull/actors/shell"
	"lull/classifier"
	"lull/classifier/archive"
	"lull/classifier/study"
	"lull/subjects"
	"lull/subjects/history"
	"lull/subjects/ledger"
)

// historian reads the stream of history for the classifier, and learns from it. Each time it reads only
// what is new since the last time.
type historian struct {
	bus     actors.Bus
	pool    subjects.Pool
	log     *slog.Logger
	met     *classMetrics
	actions chan actors.Action // the latest that has not begun

	created time.Time // of the stream that kept was read from
	next    uint64
	kept    *archive.Archive
}

func newHistorian(bus actors.Bus, s Shared) (*historian, error) {
	met, err := newClassMetrics(s.Registry)
	if err != nil {
		return nil, err
	}
	return &historian{
		bus: bus, pool: s.Pool, log: s.Log, met: met, actions: make(chan actors.Action, 1), kept: archive.New(),
	}, nil
}

// perform queues an action, in place of one that has not begun. That one is an earlier term's,
// because the actor waits for a report before its next action. The shell's loop is the only caller,
// so there is always room.
func (h *historian) perform(action actors.Action) {
	select {
	case <-h.actions:
	default:
	}
	h.actions <- action
}

// run performs the actions until the context ends.
func (h *historian) run(ctx context.Context, actor *shell.Shell) {
	for {
		select {
		case action := <-h.actions:
			if outcome := h.do(ctx, action); ctx.Err() == nil {
				actor.Report(outcome)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (h *historian) do(ctx context.Context, action actors.Action) any {
	switch action := action.(type) {
	case classifier.Learn:
		report := classifier.Learned{Learn: action}
		if report.Err = h.refresh(ctx, action.At); report.Err == nil {
			report.Hosts = h.kept.Hosts()
			report.Found, report.Err = study.Classify(h.kept, action.At, action.Known, action.Seed)
		}
		h.note(report)
		return report
	case classifier.Look:
		report := classifier.Looked{Base: action.Base}
		if report.Err = h.refresh(ctx, action.At); report.Err == nil {
			report.Changed, report.Err = study.Drifted(h.kept, action.At, action.Known)
		}
		h.warn(report.Err)
		return report
	}
	return nil
}

// note logs what was learnt.
func (h *historian) note(r classifier.Learned) {
	h.warn(r.Err)
	if r.Err != nil || len(r.Found.Tenants) == 0 {
		return
	}
	if n := len(r.Found.Tenants); n > ledger.MostTenants {
		h.log.Warn("there are too many tenants, and those that came last have no class: give hosts of one owner one --tenant",
			"actor", classifier.Name, "tenants", n, "most", ledger.MostTenants)
	}
	h.met.learned(h.kept, &r)
	h.log.Info("tenants were classified", "actor", classifier.Name, "why", r.Why, "dry", r.Request.Dry,
		"tenants", len(r.Found.Tenants), "classes", len(r.Found.Classes), "hosts", h.kept.Hosts(), "bytes", h.kept.Bytes())
}

func (h *historian) warn(err error) {
	if err != nil {
		h.log.Warn("history cannot be read; classes stay as they are; trying again in minutes", "actor", classifier.Name, "error", err)
	}
}

// refresh reads what is new, and forgets what is older than the stream keeps.
func (h *historian) refresh(ctx context.Context, now time.Time) error {
	info, err := h.bus.HistoryInfo(ctx)
	if err != nil {
		return fmt.Errorf("the stream of history: %w", err)
	}
	if !info.Created.Equal(h.created) {
		h.created, h.next, h.kept = info.Created, 0, archive.New()
	}
	if h.next, err = h.bus.ReadHistory(ctx, h.next, "", h.take); err != nil {
		return fmt.Errorf("the stream of history: %w", err)
	}
	h.kept.Forget(now.AddDate(0, 0, -history.Days))
	return nil
}

// take keeps a block. One that cannot be read counts as a gap.
func (h *historian) take(d actors.Delivery) error {
	var block history.Block
	host, err := history.Read(h.pool, d.Subject, d.Body, &block)
	switch {
	case err == nil:
		h.kept.Put(host, &block, d.Body)
	case errors.Is(err, history.ErrNewer):
		h.met.skipped.WithLabelValues("newer").Inc()
	default:
		h.met.skipped.WithLabelValues("garbage").Inc()
	}
	return nil
}
