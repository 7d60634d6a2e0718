package serve

import (
	"context"
	"errors"
)

// until waits for the end of ctx, which is a good end, or for a service that
// ended by itself.
func (l *Local) until(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- l.Wait() }()
	select {
	case <-ctx.Done():
		l.cfg.Log.Info("stopping; once more stops at once")
		return l.Close()
	case err := <-failed:
		return errors.Join(err, l.Close())
	}
}
