package kept

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"sync"

	"lull/hostctl/coalesce"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/manifest"
)

// maxDoubts bounds the attempts that wait to be verified. Readers of the others ask again.
const maxDoubts = 100_000

// doubts are attempts with outputs that may be damaged.
type doubts struct {
	asked coalesce.Signal // raised when an attempt is added
	mu    struct {
		sync.Mutex
		attempts map[uint64]bool
	}
}

func newDoubts() *doubts {
	d := &doubts{asked: coalesce.New()}
	d.mu.attempts = map[uint64]bool{}
	return d
}

// add adds an attempt, unless too many wait.
func (d *doubts) add(attempt uint64) {
	d.mu.Lock()
	if len(d.mu.attempts) < maxDoubts {
		d.mu.attempts[attempt] = true
	}
	d.mu.Unlock()
	d.asked.Raise()
}

// takeAll returns the attempts and forgets them.
func (d *doubts) takeAll() map[uint64]bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	attempts := maps.Clone(d.mu.attempts)
	clear(d.mu.attempts)
	return attempts
}

// Doubt makes the keeper verify the output of an attempt soon, if the slotter counts on it.
func (k *Keeper) Doubt(attempt uint64) { k.doubts.add(attempt) }

// checkDoubted verifies outputs after calls of Doubt, one at a time, for a bounded part of the
// time: a reader may doubt anything.
func (k *Keeper) checkDoubted(ctx context.Context) { k.checkOn(ctx, k.doubts.asked, k.CheckDoubts) }

// CheckDoubts verifies the outputs in doubt once, and sets those aside that are damaged. It
// returns their number.
func (k *Keeper) CheckDoubts(ctx context.Context) (damaged int, err error) {
	doubted := k.doubts.takeAll()
	var outputs []subjects.KeptOutput
	err = k.cfg.Slotter.EachKept(ctx, k.cfg.Host, func(page []subjects.KeptOutput) {
		for _, o := range page {
			if doubted[o.Attempt] {
				outputs = append(outputs, o)
			}
		}
	})
	if err != nil {
		for attempt := range doubted {
			k.Doubt(attempt)
		}
		return 0, err
	}
	for _, o := range outputs {
		if k.setAsideDamaged(ctx, o) {
			damaged++
			k.Missed()
		}
	}
	return damaged, nil
}

// setAsideDamaged moves an output aside if its bytes are wrong, and reports whether it did.
func (k *Keeper) setAsideDamaged(ctx context.Context, o subjects.KeptOutput) bool {
	task := store.Task{Job: o.Job, Stage: o.Stage, Task: o.Task}
	log := k.cfg.Logger.With("folder", k.cfg.Store.Folder(task, o.Attempt).Path)
	err := k.cfg.Store.Verify(ctx, task, o.Attempt, o.Manifest)
	switch {
	case err == nil || ctx.Err() != nil:
		return false
	case errors.Is(err, fs.ErrNotExist):
		k.Missed()
		return false
	case !errors.Is(err, manifest.ErrDamaged):
		log.Warn("an output that is still read cannot be looked at", "error", err)
		return false
	}
	aside, e := k.cfg.Store.SetAside(task, o.Attempt)
	if aside == "" {
		log.Error("an output that is still read is damaged and cannot be set aside: remove its folder, then its task runs again", "damage", err, "error", e)
		return false
	}
	log.Warn("an output that is still read is damaged: its task runs again", "aside", aside, "error", errors.Join(err, e))
	return true
}
