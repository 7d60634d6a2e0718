package hostctl

import (
	"context"

	"lull/hostctl/cgroup"
	"lull/hostctl/store"
	"lull/hostctl/sum"
)

// hashIn returns a function that starts a process to hash a large output, in the
// background class. If none can be started the agent hashes the output itself.
func hashIn(tree *cgroup.Tree, cfg Config) func(context.Context) (store.Hasher, error) {
	return func(ctx context.Context) (store.Hasher, error) {
		p, err := sum.Start(ctx, sum.Config{Command: cfg.Sum, In: tree.Background()})
		if err != nil {
			cfg.Logger.Warn("no background process could be started to hash an output: the agent hashes it itself", "error", err)
			return nil, err
		}
		return p, nil
	}
}
