package hostctl

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"sync"

	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/manifest"
)

// An output may be damaged on its disk: by a bad sector, or by a person who writes to it. A reader
// whose copy was wrong twice tells the host that keeps it, and so do this host's own reads. That
// alone proves nothing. The agent compares the output's bytes with its manifest, and only if they
// are wrong moves its folder aside. From then on the output is missing like one that was removed:
// see CheckKept.

// maxDoubts bounds the attempts that wait to be verified. Readers of the others ask again.
const maxDoubts = 100_000

// doubts are attempts whose outputs may be damaged.
type doubts struct {
	asked chan struct{} // holds a token if there may be some
	mu    *sync.Mutex
	of    map[uint64]bool
}

func newDoubts() doubts {
	return doubts{asked: make(chan struct{}, 1), mu: new(sync.Mutex), of: map[uint64]bool{}}
}

// take returns the doubts and forgets them.
func (d *doubts) take() map[uint64]bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	of := maps.Clone(d.of)
	clear(d.of)
	return of
}

// Doubt makes the agent verify the output of an attempt soon, if the slotter counts on it.
func (a *Agent) Doubt(attempt uint64) {
	d := &a.doubts
	d.mu.Lock()
	if len(d.of) < maxDoubts {
		d.of[attempt] = true
	}
	d.mu.Unlock()
	notify(d.asked)
}

// checkDoubts verifies outputs after calls of Doubt, one at a time, for a bounded part of the
// time: a reader may doubt anything.
func (a *Agent) checkDoubts(ctx context.Context) { a.paced(ctx, a.doubts.asked, a.CheckDoubts) }

// CheckDoubts verifies the outputs in doubt once, and sets those aside that are damaged.
func (a *Agent) CheckDoubts(ctx context.Context) (damaged int, err error) {
	doubted := a.doubts.take()
	var outputs []subjects.KeptOutput
	err = a.eachKept(ctx, func(page []subjects.KeptOutput) {
		for _, o := range page {
			if doubted[o.Attempt] {
				outputs = append(outputs, o)
			}
		}
	})
	if err != nil {
		for attempt := range doubted {
			a.Doubt(attempt)
		}
		return 0, err
	}
	for _, o := range outputs {
		if a.setAside(ctx, o) {
			damaged++
			a.Missed()
		}
	}
	return damaged, nil
}

// setAside moves an output aside if its bytes are wrong.
func (a *Agent) setAside(ctx context.Context, o subjects.KeptOutput) bool {
	task := store.Task{Job: o.Job, Stage: o.Stage, Task: o.Task}
	log := a.cfg.Logger.With("folder", a.store.Folder(task, o.Attempt).Path)
	err := a.store.Verify(ctx, task, o.Attempt, o.Manifest)
	switch {
	case err == nil || ctx.Err() != nil:
		return false
	case errors.Is(err, fs.ErrNotExist):
		a.Missed()
		return false
	case !errors.Is(err, manifest.ErrDamaged):
		log.Warn("an output that is still read cannot be looked at", "error", err)
		return false
	}
	aside, e := a.store.SetAside(task, o.Attempt)
	if aside == "" {
		log.Error("an output that is still read is damaged and cannot be set aside: remove its folder, then its task runs again", "damage", err, "error", e)
		return false
	}
	log.Warn("an output that is still read is damaged: its task runs again", "aside", aside, "error", errors.Join(err, e))
	return true
}
