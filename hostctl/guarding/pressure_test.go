package guarding

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

func TestPressureTriggerEndsWithItsContext(t *testing.T) {
	if _, err := os.Stat("/proc/pressure/memory"); err != nil {
		t.Skip("needs a kernel that measures memory pressure: ", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- watchTrigger(ctx, "some 100000 2000000", func() {}) }() // a window that takes no right
	cancel()
	if err := <-ended; errors.Is(err, fs.ErrPermission) {
		t.Skip("needs triggers of memory pressure: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	if err := watchTrigger(t.Context(), "some time", func() {}); err == nil || !strings.Contains(err.Error(), "some time") {
		t.Errorf("watchTrigger(some time) = %v, want an error that names it", err)
	}
}
