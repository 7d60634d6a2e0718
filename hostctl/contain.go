package hostctl

import (
	"os"
	"slices"

	"lull/hostctl/contain"
	"lull/hostctl/shim"
	"lull/hostctl/store"
)

// contain finds out how this host contains tasks, and gives their folders to
// their user.
func (a *Agent) contain() (err error) {
	a.policy, err = contain.Choose(a.cfg.Contain, a.cfg.TaskUser, a.cfg.TaskWrite, a.store.Root())
	if err != nil {
		return err
	}
	user := a.policy.User
	if os.Geteuid() == 0 && a.policy.Mode == contain.Full && user.Same() && a.cfg.TaskUser == "" {
		a.cfg.Logger.Warn("tasks run as root", "because", a.policy.Why)
	}
	if a.policy.ABI == 0 && a.policy.Mode == contain.Full {
		a.cfg.Logger.Warn("no Landlock in this kernel: tasks can write wherever their user may")
	}
	if user.Same() {
		return nil
	}
	return a.store.Give(store.Owner{UID: int(user.UID), GID: int(user.GID)})
}

// bounds are what an attempt is kept to.
func (a *Agent) bounds(f store.Folder) shim.Bounds {
	own := []string{f.Out(), f.Work(), f.Checkpoint()}
	return shim.Bounds{
		Write:      slices.Concat(own, a.policy.Write),
		Unfenced:   a.policy.Mode != contain.Full,
		Privileged: a.policy.Mode == contain.Off,
		User:       a.policy.User,
	}
}
