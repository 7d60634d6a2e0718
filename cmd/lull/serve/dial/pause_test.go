package dial

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// A server logs each connection that it refuses, so attempts with wrong credentials become rare.
func TestPausesGrowWhileCredentialsAreRefused(t *testing.T) {
	wrong := fmt.Errorf("connect: %w", nats.ErrAuthorization)
	pause, attempts := time.Duration(0), 0
	for waited := time.Duration(0); waited < time.Hour; attempts++ {
		pause = pauseAfter(wrong, pause)
		waited += pause
	}
	if attempts > 130 {
		t.Errorf("attempts in an hour = %d, want at most 130", attempts)
	}
	if pause = pauseAfter(errors.New("connection refused"), pause); pause != retryEvery {
		t.Errorf("pauseAfter(connection refused) = %v, want %v", pause, retryEvery)
	}
}
