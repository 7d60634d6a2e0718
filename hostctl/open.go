package hostctl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lull/hostctl/cgroup"
	"lull/hostctl/guarding"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/hostctl/snapshots"
	"lull/hostctl/spreading"
	"lull/hostctl/store"
)

// open takes the host's folder, cgroups and address.
func (a *Agent) open() (err error) {
	if a.store, err = store.Open(filepath.Join(a.cfg.Data, string(a.pool))); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			a.clearAway()
			err = errors.Join(err, a.store.Close())
		}
	}()
	if a.bus, err = snapshots.Open(a.cfg.Bus, filepath.Join(a.store.Root(), "snapshots")); err != nil {
		return err
	}
	if a.caps, err = cgroup.Detect(a.cfg.Root); err != nil {
		return err
	}
	if err := a.cfg.size(a.caps.Idle.OK()); err != nil {
		return err
	}
	if err := a.contain(); err != nil {
		return err
	}
	if a.boot, err = bootID(a.cfg.Root); err != nil {
		return err
	}
	if err := a.openSlots(); err != nil {
		return err
	}
	if len(a.cfg.Sum) > 0 {
		a.store.HashBy(a.hasher)
	}
	a.slotCaps = slots.NewCaps(int(a.cores()), func(n int, cores float64) error { return a.slots[n].Group.SetCap(cores) })
	if a.spread, err = spreading.Open(spreading.Config{
		Mode: a.cfg.Spread, Command: a.cfg.Spreader, Note: filepath.Join(a.store.Root(), "moving"), Idle: a.caps.Idle.OK(),
		Host: a.cfg.Host, Logger: a.cfg.Logger, Registerer: a.cfg.Registerer,
	}); err != nil {
		return err
	}
	if a.guardian, err = guarding.New(a.guarding()); err != nil {
		return err
	}
	a.openPace()
	return a.openRooms()
}

// clearAway removes the cgroups of an agent that cannot begin, unless an earlier one left
// shims in them.
func (a *Agent) clearAway() {
	if a.tree == nil || slices.ContainsFunc(a.slots, (*slots.Slot).Alive) {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	stop() // they are empty, or stay
	_ = a.tree.Remove(ctx)
}

// openSlots makes the cgroups.
func (a *Agent) openSlots() error {
	tree, err := cgroup.Open(a.caps, groupName(a.cfg.Host, a.store))
	if err != nil {
		return err
	}
	a.tree = tree
	if err := tree.Disk(a.store.Root()); err != nil {
		a.cfg.Logger.Debug("batch work's disk rate cannot be bounded here", "err", err)
	}
	for n := range int(a.cfg.Slots) {
		s, err := a.openSlot(n)
		if err != nil {
			return err
		}
		a.slots = append(a.slots, s)
	}
	return nil
}

func (a *Agent) openSlot(n int) (*slots.Slot, error) {
	cfg := shim.Config{Dir: a.store.Slot(n), Background: !a.caps.Idle.OK(), Command: a.cfg.Shim}
	if !a.caps.PIDs.OK() {
		cfg.Processes = slots.MaxProcesses
	}
	var err error
	if cfg.FileSize, err = a.fileSize(); err != nil {
		return nil, err
	}
	group, err := a.tree.Slot(n)
	if err != nil {
		return nil, err
	}
	cfg.Slot = group
	return slots.New(n, cfg, a.caps.Freeze.OK()), nil
}

// bootID identifies the machine's boot.
func bootID(root string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, "proc/sys/kernel/random/boot_id"))
	if err != nil {
		return "", fmt.Errorf("identity of this boot: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}
