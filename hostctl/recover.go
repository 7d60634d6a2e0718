package hostctl

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lull/hostctl/cgroup"
	"lull/hostctl/store"
	"lull/subjects"
)

// Recover sets what a dead agent left running to the state that an agent starts from: in the
// background, on all cores, neither frozen nor capped. New does so too, but needs the pool's log.
// An agent that cannot reach the pool calls Recover, so that tasks do not stay frozen or raised
// until it can. Recover uses Root, Host and Data as New does. It does nothing if nothing was left,
// or if another agent runs.
func Recover(cfg Config, pool subjects.Pool) error {
	setDefault(&cfg.Root, "/")
	name, _ := os.Hostname()
	setDefault(&cfg.Host, subjects.Token(name))
	folder := filepath.Join(cfg.Data, string(pool))
	if _, err := os.Stat(folder); err != nil {
		return nil //nolint:nilerr // no agent was here before
	}
	held, err := store.Open(folder)
	if errors.Is(err, store.ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(resetGroups(cfg, held), held.Close())
}

func resetGroups(cfg Config, held *store.Store) error {
	caps, err := cgroup.Detect(cfg.Root)
	if err != nil {
		return err
	}
	name := groupName(cfg.Host, held)
	if !cgroup.Left(caps, name) {
		return nil
	}
	_, err = cgroup.Open(caps, name)
	return err
}

// groupName is the name of an agent's cgroups. It carries the folder, so that agents
// of several folders on one machine do not meet.
func groupName(host string, in *store.Store) string {
	sum := sha256.Sum256([]byte(in.Root()))
	return fmt.Sprintf("%s-%x", host, sum[:4])
}
