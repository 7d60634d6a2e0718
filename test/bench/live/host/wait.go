package host

import (
	"context"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// Patience is how long batch work may take to notice that it is to end. Beside a busy primary it hardly
// runs.
const Patience = 20 * time.Second

// Wait pauses.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Until tries again, for as long as a process may take to start.
func Until(ctx context.Context, what string, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if err := Wait(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("until %s: %w", what, err)
		}
	}
}

// End stops a process in order.
func End(cmd *exec.Cmd) error {
	_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended; Wait returns how
	return cmd.Wait()
}
