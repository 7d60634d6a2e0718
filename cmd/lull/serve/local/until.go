package local

import (
	"context"
	"errors"
)

// RunUntil waits until ctx ends or a service ends by itself, and closes l. The error is nil if
// ctx ended and everything stopped well.
func (l *Local) RunUntil(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- l.Wait() }()
	select {
	case <-ctx.Done():
		l.cfg.Log.Info("stopping; a second interrupt stops at once")
		return l.Close()
	case err := <-failed:
		return errors.Join(err, l.Close())
	}
}
