package hostctl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lull/hostctl/cgroup"
	"lull/hostctl/guarding"
	"lull/hostctl/slots"
	"lull/hostctl/snapshots"
	"lull/hostctl/spreading"
	"lull/hostctl/store"
	"lull/hostctl/trees"
	"lull/hostctl/vacancy"
)

// open takes the host's folder, cgroups and address.
func (a *Agent) open() (err error) {
	if a.store, err = store.Open(filepath.Join(a.cfg.Data, string(a.pool))); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			if a.slots != nil {
				a.slots.Discard()
			}
			err = errors.Join(err, a.store.Close())
		}
	}()
	if a.caps, err = cgroup.Detect(a.cfg.Root); err != nil {
		return err
	}
	if a.host, err = coresBelow(a.cfg.Root); err != nil {
		return err
	}
	if err := a.cfg.setSizes(int(a.host), a.caps.Idle.OK()); err != nil {
		return err
	}
	if err := a.setUpContainment(); err != nil {
		return err
	}
	if a.boot, err = bootID(a.cfg.Root); err != nil {
		return err
	}
	a.name = vacancy.New(a.cfg.Bus, vacancy.Config{
		Host: a.cfg.Host, Boot: a.boot, File: filepath.Join(a.store.Root(), "instance"), Logger: a.cfg.Logger, OnJoined: a.cfg.OnJoined,
	})
	if a.bus, err = snapshots.Open(a.name, filepath.Join(a.store.Root(), "snapshots")); err != nil {
		return err
	}
	if err := a.openSlots(); err != nil {
		return err
	}
	if !a.caps.CPUTime.OK() {
		a.trees = trees.New(a.cfg.Root, a.slots.Shims)
	}
	if len(a.cfg.Sum) > 0 {
		a.store.HashBy(hashIn(a.slots.Tree, a.cfg))
	}
	if a.spread, err = spreading.Open(spreading.Config{
		Mode: a.cfg.Spread, Command: a.cfg.Spreader, Note: filepath.Join(a.store.Root(), "moving"), Idle: a.caps.Idle.OK(),
		Host: a.cfg.Host, Logger: a.cfg.Logger, Registerer: a.cfg.Registerer,
	}); err != nil {
		return err
	}
	if a.guardian, err = guarding.New(a.guardConfig()); err != nil {
		return err
	}
	return a.openParts()
}

// openSlots makes the cgroups.
func (a *Agent) openSlots() error {
	fileSize, err := fileSize(a.cfg, a.store)
	if err != nil {
		return err
	}
	a.slots, err = slots.Open(slots.SetConfig{
		Capabilities: a.caps, Name: groupName(a.cfg.Host, a.store), Slots: int(a.cfg.Slots), Cores: int(cores()),
		Dir: a.store.Slot, Data: a.store.Root(), Shim: a.cfg.Shim, FileSize: fileSize, Logger: a.cfg.Logger,
	})
	return err
}

// bootID identifies the machine's boot.
func bootID(root string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, "proc/sys/kernel/random/boot_id"))
	if err != nil {
		return "", fmt.Errorf("identity of this boot: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}
