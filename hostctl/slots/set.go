package slots

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
	"lull/subjects/spec"
)

// SetConfig says which slots a host has. All fields but FileSize are required.
type SetConfig struct {
	// Capabilities are what the host's kernel offers.
	Capabilities cgroup.Capabilities
	// Name is the name of the host's cgroups.
	Name string
	// Slots is how many tasks run at once.
	Slots int
	// Cores are the host's.
	Cores int
	// Dir returns the folder of a slot's shim.
	Dir func(slot int) string
	// Data is a folder on the disk that tasks write to: its rate is bounded.
	Data string
	// Shim is the command of a shim.
	Shim []string
	// FileSize bounds the files of tasks, in bytes; 0 for no bound.
	FileSize uint64
	Logger   *slog.Logger
}

// Set is the slots of a host, the tree of their cgroups, and the one owner of their CPU caps.
type Set struct {
	Tree *cgroup.Tree
	Caps *Caps
	cfg  SetConfig
	// complete says that the slots of an earlier agent are there.
	complete atomic.Bool

	growing sync.Mutex // held while slots are added, and while what holds for all of them changes
	all     atomic.Pointer[[]*Slot]
	held    Holder  // the holder for which all slots are frozen
	guarded float64 // the guard's cap of all slots, 0 for none
}

// Open makes the cgroups of a host's slots. If it fails it leaves none, unless an earlier agent
// left shims in them.
func Open(c SetConfig) (*Set, error) {
	tree, err := cgroup.Open(c.Capabilities, c.Name)
	if err != nil {
		return nil, err
	}
	s := &Set{cfg: c, Tree: tree}
	s.Caps = NewCaps(c.Cores, func(n int, cores float64) error { return s.All()[n].Group.SetCap(cores) })
	s.all.Store(new([]*Slot))
	if err := tree.Disk(c.Data); err != nil {
		c.Logger.Debug("batch work's disk rate cannot be bounded here", "err", err)
	}
	if err := s.Grow(c.Slots); err != nil {
		s.Discard()
		return nil, err
	}
	return s, nil
}

// Grow adds slots until there are n: tasks of parts of a core share a slot of the host, and each has
// a shim and a cgroup of its own. New ones stand still and are capped as the others are.
func (s *Set) Grow(n int) error {
	s.growing.Lock()
	defer s.growing.Unlock()
	for next := len(s.All()); next < n; next++ {
		slot, err := s.open(next)
		if err != nil {
			return err
		}
		slot.Holds.set(s.held, true)
		all := append(slices.Clone(s.All()), slot)
		s.all.Store(&all)
		if s.guarded > 0 {
			if err := s.Caps.Guard(next, s.guarded); err != nil {
				return err
			}
		}
	}
	return nil
}

// open makes a slot.
func (s *Set) open(n int) (*Slot, error) {
	cfg := shim.Config{Dir: s.cfg.Dir(n), Background: !s.cfg.Capabilities.Idle.OK(), Command: s.cfg.Shim, FileSize: s.cfg.FileSize}
	if !s.cfg.Capabilities.PIDs.OK() {
		cfg.Processes = MaxProcesses
	}
	var err error
	if cfg.Slot, err = s.Tree.Slot(n); err != nil {
		return nil, err
	}
	return New(n, cfg, s.cfg.Capabilities.Freeze.OK()), nil
}

// All returns the slots in the order of their numbers. Do not change the list. Any goroutine may
// call it at any time.
func (s *Set) All() []*Slot { return *s.all.Load() }

// Most is the greatest number of slots that Get makes.
func (s *Set) Most() int { return s.cfg.Slots * spec.MaxShares }

// Get returns a slot, made if need be, or nil if the host has none of its number.
func (s *Set) Get(n int) *Slot {
	if n >= len(s.All()) && n < s.Most() {
		if err := s.Grow(n + 1); err != nil {
			s.cfg.Logger.Error("a slot's cgroups cannot be made: its task is declined", "slot", n, "error", err)
		}
	}
	if all := s.All(); n < len(all) {
		return all[n]
	}
	return nil
}

// Extend adds the slots of an earlier agent that had more: they finish what they run.
func (s *Set) Extend() error {
	for _, n := range s.Tree.Slots() {
		if err := s.Grow(n + 1); err != nil {
			return err
		}
	}
	s.complete.Store(true)
	return nil
}

// Shims returns the process ids of the shims that are connected, none before Extend has returned.
// Any goroutine may call it at any time.
func (s *Set) Shims() (pids []int) {
	if !s.complete.Load() {
		return nil
	}
	for _, slot := range s.All() {
		if c := slot.Client(); c != nil {
			pids = append(pids, c.PID())
		}
	}
	return pids
}

// Hold records that all slots stand still on behalf of a holder, or do not any more: a slot that is
// made later does as they do. It returns the slots that are there already: the caller freezes or
// thaws each.
func (s *Set) Hold(by Holder, on bool) []*Slot {
	s.growing.Lock()
	defer s.growing.Unlock()
	if s.held &^= by; on {
		s.held |= by
	}
	return s.All()
}

// CapAll sets the guard's cap of all slots, in cores; 0 lifts it.
func (s *Set) CapAll(cores float64) (err error) {
	s.growing.Lock()
	defer s.growing.Unlock()
	s.guarded = cores
	for _, slot := range s.All() {
		err = errors.Join(err, s.Caps.Guard(slot.N, cores))
	}
	return err
}

// Close ends the shims, or leaves them with what they run. It closes the slots side by side, because
// on a busy machine each may take a while to be empty.
func (s *Set) Close(ctx context.Context, quit bool) error {
	all := s.All()
	errs := make([]error, len(all))
	var closing sync.WaitGroup
	for i, slot := range all {
		closing.Go(func() { errs[i] = slot.Close(ctx, quit) })
	}
	closing.Wait()
	return errors.Join(errs...)
}

// Discard removes the cgroups of a set that was not used, unless an earlier agent left shims in
// them.
func (s *Set) Discard() {
	if slices.ContainsFunc(s.All(), (*Slot).Alive) {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	stop() // they are empty, or stay
	_ = s.Tree.Remove(ctx)
}
