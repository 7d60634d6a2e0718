// Package rig runs commands on this machine as an agent would, apart from any pool.
package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"

	"lull/hostctl/cgroup"
	"lull/hostctl/pace"
	"lull/hostctl/pacing"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
)

// Config says where a Rig works.
type Config struct {
	Root string   // prefix of /proc and /sys; "/" by default
	Dir  string   // an empty folder, for the shims. Required.
	Shim []string // command of a shim; this program with "shim" by default
	// Slots is how many tasks run at once. Defaults to one.
	Slots  int
	Logger *slog.Logger // one that discards by default
}

// Rig runs commands on this machine as an agent would, in slots of the background class under the
// pace, but apart from any pool and its log. Use it to learn how a command follows its cap, and to
// watch the loop.
//
//	rig, err := rig.Open(rig.Config{Dir: dir})
//	run, err := rig.Start(ctx, rig.Task{Argv: …, Input: …, Reference: 20e6})
//	<-run.Done()
//	learnt := run.Learnt()
//	err = rig.Close(ctx)
type Rig struct {
	cfg   Config
	caps  cgroup.Capabilities
	tree  *cgroup.Tree
	slots []*slots.Slot
	pacer *pacing.Pacer
	stop  context.CancelFunc
	loop  sync.WaitGroup

	mu struct {
		sync.Mutex
		next uint64 // attempt
		runs map[uint64]*Run
		used []bool // slots
	}
}

// Open makes the cgroups. Close what it returns.
func Open(cfg Config) (*Rig, error) {
	cfg.Root, cfg.Slots = cmp.Or(cfg.Root, "/"), cmp.Or(cfg.Slots, 1)
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	r := &Rig{cfg: cfg}
	r.mu.runs, r.mu.used = make(map[uint64]*Run), make([]bool, cfg.Slots)
	if err := r.open(); err != nil {
		return nil, fmt.Errorf("rig: %w", err)
	}
	r.begin()
	return r, nil
}

func (r *Rig) open() (err error) {
	if r.caps, err = cgroup.Detect(r.cfg.Root); err != nil {
		return err
	}
	if r.tree, err = cgroup.Open(r.caps, fmt.Sprintf("rig-%d-%s", os.Getpid(), filepath.Base(r.cfg.Dir))); err != nil {
		return err
	}
	for n := range r.cfg.Slots {
		group, err := r.tree.Slot(n)
		if err != nil {
			return err
		}
		cfg := shim.Config{Dir: filepath.Join(r.cfg.Dir, strconv.Itoa(n)), Slot: group, Background: !r.caps.Idle.OK(), Command: r.cfg.Shim}
		r.slots = append(r.slots, slots.New(n, cfg, r.caps.Freeze.OK()))
	}
	return nil
}

// begin starts the loop.
func (r *Rig) begin() {
	cores := runtime.NumCPU()
	owner := slots.NewCaps(cores, func(n int, cores float64) error { return r.slots[n].Group.SetCap(cores) })
	r.pacer = pacing.New(pacing.NewActuator(r.caps, owner, func() []*slots.Slot { return r.slots }), float64(cores), r.cfg.Logger)
	r.pacer.OnSample, r.pacer.OnLearnt = r.noteSample, r.noteModel
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	r.loop.Go(func() { r.pacer.Run(ctx) })
}

// How is the mechanism that caps tasks here, for people.
func (r *Rig) How() string {
	if r.caps.Cap.OK() {
		return r.caps.Cap.String()
	}
	return fmt.Sprintf("stopped for a part of every %v (no quota here)", pacing.DutyPeriod)
}

// AddModel gives tasks of a kind a model, so that they need not show one.
func (r *Rig) AddModel(kind string, m pace.Model) {
	r.pacer.AddModel(kind, m)
}

// Close ends what runs and leaves nothing behind.
func (r *Rig) Close(ctx context.Context) error {
	r.stop()
	r.loop.Wait()
	var errs []error
	for _, s := range r.slots {
		errs = append(errs, s.Close(ctx, true))
	}
	return errors.Join(append(errs, r.tree.Remove(ctx))...)
}

func (r *Rig) noteSample(t *pacing.Task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if x := r.mu.runs[t.ID]; x != nil {
		now, starved := t.Now()
		x.moments = append(x.moments, now)
		x.starved = x.starved || starved
	}
}

func (r *Rig) noteModel(t *pacing.Task, l *pace.Learnt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if x := r.mu.runs[t.ID]; x != nil {
		x.learnt = l
		close(x.identified)
	}
}
