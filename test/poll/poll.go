// Package poll waits in tests for conditions that no event announces, such as the
// content of another process's file.
package poll

import "time"

// Until checks cond at an interval until it is true. It returns false if patience
// ends first.
func Until(patience, interval time.Duration, cond func() bool) bool {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for end := time.Now().Add(patience); !cond(); <-ticker.C {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
