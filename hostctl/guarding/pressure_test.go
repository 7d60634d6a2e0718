package guarding

import (
	"context"
	"strings"
	"testing"
)

func TestPressureTriggerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- pressed(ctx, "some 100000 2000000", func() {}) }() // a window that takes no right
	cancel()
	if err := <-ended; err != nil {
		t.Skip("no triggers here: ", err)
	}
	if err := pressed(t.Context(), "some time", func() {}); err == nil || !strings.Contains(err.Error(), "some time") {
		t.Errorf("a trigger that is none: %v", err)
	}
}
