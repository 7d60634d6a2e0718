package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lull/client"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/serve/service"
	"lull/hostctl"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/papers/sharing"
	"lull/test/steal"
)

// pool is every service of lull in this process, with this machine as its only
// host, and a client of it.
type pool struct {
	local *local.Local
	*client.Client
	view  *client.View
	spans map[string]*spanOf
	clock *steal.Clock
}

// spanOf is when a job's first task began and when the job ended.
type spanOf struct{ began, ended time.Duration }

// unguarded is a host without a primary, as the paper's are. Everything else here is the pool
// itself, and the guard would slow batch work for it.
var unguarded = hostctl.Options{Slots: table3Slots, GuardBudget: -1}

// openPool starts a pool on a data folder, with what an earlier one learnt. Its policy is fifo,
// without rivals: how queues share is measured.
func openPool(ctx context.Context, data, pace string) (*pool, error) {
	local, err := local.Start(ctx, local.Config{
		Shared: service.Shared{Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))},
		Data:   data, Host: service.HostConfig{Name: fmt.Sprintf("papers-%d", os.Getpid()), Options: unguarded},
		Policy: "fifo", AdmissionMode: "all", Slotter: slotter.Config{Pace: pace, Rivals: -1},
	})
	if err != nil {
		return nil, err
	}
	p := &pool{local: local, spans: map[string]*spanOf{}}
	if err := p.connect(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *pool) connect(ctx context.Context) error {
	conn, err := p.local.Conn("papers")
	if err != nil {
		return err
	}
	if p.Client, err = client.Open(ctx, conn, subjects.DefaultPool); err != nil {
		return err
	}
	if p.view, err = p.View(ctx); err != nil {
		return err
	}
	p.view.Each = p.see
	return nil
}

func (p *pool) close() error {
	if p.Client != nil {
		p.Close()
	}
	return p.local.Close()
}

// see notes when jobs begin and end.
func (p *pool) see(e client.Entry) {
	switch fact := e.Event.(type) {
	case *subjects.Started:
		if s := p.spans[fact.Job]; s != nil && s.began == 0 {
			s.began = p.clock.Now()
		}
	case *subjects.JobFinished:
		if s := p.spans[fact.Job]; s != nil {
			s.ended = p.clock.Now()
		}
	}
}

// shares sets the weights of the pool's queues, and one job at a time.
func (p *pool) shares(ctx context.Context, queues []sharing.Queue) error {
	for _, q := range queues {
		if err := p.Append(ctx, ledger.New(), &subjects.Shared{Queue: q.Name, Weight: q.Weight, Jobs: 1, Who: client.Who()}); err != nil {
			return err
		}
	}
	return nil
}

// run submits a queue's jobs at once. When all have ended it returns the span of each since the
// call, on a clock that stands still while the machine is taken away.
func (p *pool) run(ctx context.Context, queues []sharing.Queue, job func(queue string) *spec.Doc) ([]sharing.Span, error) {
	if err := p.shares(ctx, queues); err != nil {
		return nil, err
	}
	var err error
	if p.clock, err = steal.NewClock(); err != nil {
		return nil, err
	}
	of := map[string]string{}
	for _, q := range queues {
		for range q.Jobs {
			id, err := p.Submit(ctx, job(q.Name), client.NewID())
			if err != nil {
				return nil, err
			}
			of[id], p.spans[id] = q.Name, &spanOf{}
		}
	}
	if err := p.view.Until(ctx, func() bool { return p.ended(of) }); err != nil {
		return nil, err
	}
	return p.spansOf(of)
}

func (p *pool) ended(jobs map[string]string) bool {
	for id := range jobs {
		if j := p.view.State.Job(id); j == nil || !j.Phase.Ended() {
			return false
		}
	}
	return true
}

// spansOf are the jobs' spans. One that did not finish is an error: the others
// had its share.
func (p *pool) spansOf(jobs map[string]string) (spans []sharing.Span, err error) {
	for id, queue := range jobs {
		if j := p.view.State.Job(id); j.Phase != ledger.Finished {
			return nil, fmt.Errorf("job %s ended as %s: %s", id, j.Phase, j.Text)
		}
		s := p.spans[id]
		spans = append(spans, sharing.Span{Queue: queue, Began: s.began, Ended: s.ended})
	}
	slices.SortFunc(spans, func(s, t sharing.Span) int { return cmp.Compare(s.Began, t.Began) })
	return spans, nil
}

// folder is where the pool of a bench keeps what it learns.
func (b *bench) folder() string { return filepath.Join(b.dir, "pool") }
