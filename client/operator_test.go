package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lull/actors"
)

// An order of which the outcome is not known says what to look at and that it may be repeated.
func TestAnUnacknowledgedOrderSaysWhatToDo(t *testing.T) {
	err := unacknowledged("lull.default.pool.paused", fmt.Errorf("%w: %w", actors.ErrUnknown, context.DeadlineExceeded))
	if !errors.Is(err, actors.ErrUnknown) || !strings.Contains(err.Error(), "lull doctor") {
		t.Error(err)
	}
	if err := unacknowledged("the task list", context.DeadlineExceeded); !strings.Contains(err.Error(), "lull doctor") {
		t.Error(err)
	}
	if err := unacknowledged("lull.default.pool.paused", actors.ErrFull); !errors.Is(err, actors.ErrFull) || strings.Contains(err.Error(), "lull doctor") {
		t.Error(err)
	}
}
