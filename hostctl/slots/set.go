package slots

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"

	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
)

// SetConfig says which slots a host has. All fields but FileSize are required.
type SetConfig struct {
	// Capabilities are what the host's kernel offers.
	Capabilities cgroup.Capabilities
	// Name is that of the host's cgroups.
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
	all  []*Slot // grows in Open and Extend alone
	// complete says that all grows no more.
	complete atomic.Bool
}

// Open makes the cgroups of a host's slots. If it fails it leaves none, unless an earlier agent
// left shims in them.
func Open(c SetConfig) (*Set, error) {
	tree, err := cgroup.Open(c.Capabilities, c.Name)
	if err != nil {
		return nil, err
	}
	s := &Set{cfg: c, Tree: tree}
	s.Caps = NewCaps(c.Cores, func(n int, cores float64) error { return s.all[n].Group.SetCap(cores) })
	if err := tree.Disk(c.Data); err != nil {
		c.Logger.Debug("batch work's disk rate cannot be bounded here", "err", err)
	}
	if err := s.grow(c.Slots); err != nil {
		s.Discard()
		return nil, err
	}
	return s, nil
}

// grow adds slots until there are n.
func (s *Set) grow(n int) error {
	for len(s.all) < n {
		next := len(s.all)
		cfg := shim.Config{Dir: s.cfg.Dir(next), Background: !s.cfg.Capabilities.Idle.OK(), Command: s.cfg.Shim, FileSize: s.cfg.FileSize}
		if !s.cfg.Capabilities.PIDs.OK() {
			cfg.Processes = MaxProcesses
		}
		var err error
		if cfg.Slot, err = s.Tree.Slot(next); err != nil {
			return err
		}
		s.all = append(s.all, New(next, cfg, s.cfg.Capabilities.Freeze.OK()))
	}
	return nil
}

// All returns the slots in the order of their numbers. It needs no lock once Extend has returned.
func (s *Set) All() []*Slot { return s.all }

// Extend adds the slots of an earlier agent that had more: they finish what they run. Call it
// before other goroutines use the set.
func (s *Set) Extend() error {
	for _, n := range s.Tree.Slots() {
		if err := s.grow(n + 1); err != nil {
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
	for _, slot := range s.all {
		if c := slot.Client(); c != nil {
			pids = append(pids, c.PID())
		}
	}
	return pids
}

// CapAll sets the guard's cap of all slots, in cores; 0 lifts it.
func (s *Set) CapAll(cores float64) (err error) {
	for _, slot := range s.all {
		err = errors.Join(err, s.Caps.Guard(slot.N, cores))
	}
	return err
}

// Close ends the shims, or leaves them with what they run.
func (s *Set) Close(ctx context.Context, quit bool) (err error) {
	for _, slot := range s.all {
		err = errors.Join(err, slot.Close(ctx, quit))
	}
	return err
}

// Discard removes the cgroups of a set that was not used, unless an earlier agent left shims in
// them.
func (s *Set) Discard() {
	if slices.ContainsFunc(s.all, (*Slot).Alive) {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	stop() // they are empty, or stay
	_ = s.Tree.Remove(ctx)
}
