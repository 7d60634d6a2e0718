package hostctl

import (
	"context"

	"lull/hostctl/store"
	"lull/hostctl/sum"
)

// hasher starts who hashes a large output behind the primary. If none can be started the
// agent does it.
func (a *Agent) hasher(ctx context.Context) (store.Hasher, error) {
	p, err := sum.Start(ctx, sum.Config{Command: a.cfg.Sum, In: a.tree.Background()})
	if err != nil {
		a.cfg.Logger.Warn("an output is hashed at the agent's own weight", "error", err)
		return nil, err
	}
	return p, nil
}
