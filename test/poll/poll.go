// Package poll waits in tests for conditions that no event announces, such as the
// content of another process's file.
package poll

import (
	"context"
	"time"
)

// Until checks cond at an interval until it is true. It returns false if patience
// ends first, which counts as that of a Chance.
func Until(patience, interval time.Duration, cond func() bool) bool {
	ctx, cancel := Chance(context.Background(), patience)
	defer cancel()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for !cond() {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
	}
	return true
}
