package hostctl

import (
	"os"

	"lull/hostctl/attempts"
	"lull/hostctl/contain"
	"lull/hostctl/disk"
	"lull/hostctl/store"
	"lull/subjects/spec"
)

// setUpContainment finds out how this host contains tasks, and gives their folders to
// their user.
func (a *Agent) setUpContainment() (err error) {
	a.policy, err = contain.Choose(a.cfg.Contain, a.cfg.TaskUser, a.cfg.TaskWrite, a.store.Root())
	if err != nil {
		return err
	}
	user := a.policy.User
	if os.Geteuid() == 0 && a.policy.Mode == contain.Full && user.IsAgent() && a.cfg.TaskUser == "" {
		a.cfg.Logger.Warn("tasks run as root", "because", a.policy.Why)
	}
	a.policy.Hide = contain.Resolve([]string{a.cfg.Data})
	if user.IsAgent() { // others may not read files of mode 0600
		a.policy.Hide = contain.Resolve(append([]string{a.cfg.Data}, a.cfg.Hide...))
	}
	if a.policy.ABI == 0 && a.policy.Mode == contain.Full {
		a.cfg.Logger.Warn("no Landlock in this kernel: tasks can write wherever their user may")
	}
	if err := a.policy.PerSlot(a.cfg.SlotUIDBase, a.store.Root()); err != nil || user.IsAgent() {
		return err
	}
	var each []store.Owner
	for n := range int(a.cfg.Slots) * spec.MaxShares {
		each = append(each, attempts.Owner(a.policy, n))
	}
	return a.store.Give(store.Owner{UID: int(user.UID), GID: int(user.GID)}, each...)
}

// fileSize returns the bound for files of tasks, in bytes; 0 for no bound. The kernel then refuses
// a file larger than the disk outside its reserve. A task that fills the disk with smaller files is
// evicted.
func fileSize(cfg Config, in *store.Store) (uint64, error) {
	if cfg.FileSize != 0 {
		return uint64(max(cfg.FileSize, 0)), nil
	}
	_, total, err := in.Space()
	if err != nil {
		return 0, err
	}
	return uint64(max(total-disk.Reserve(cfg.MinFree, total), leastFileSize)), nil
}

// leastFileSize leaves room for the logs of tasks, which their shim writes.
const leastFileSize = 64 << 20
