package rig

import (
	"context"
	"testing"
	"time"
)

// A shim that is about to fork waits for a thread in the idle class, and reads no orders meanwhile.
func TestASlotIsLeftBesideAPrimaryThatWantsEveryCore(t *testing.T) {
	rig, err := Open(Config{Dir: t.TempDir(), Slots: 2})
	check(t, err)
	saturate(t)
	for range 2 {
		_, err = rig.Start(t.Context(), Task{Argv: []string{"sleep", "1000"}})
		check(t, err)
	}
	begin := time.Now()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second) // it takes 0.6 s; three times what lull identify waits
	defer stop()
	check(t, rig.Close(ctx))
	t.Logf("it took %v", time.Since(begin).Round(time.Millisecond))
}
