package shell_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// stalled is a bus on which saving takes longer than its shell runs. At the shell's end it
// saves, or has no room.
type stalled struct {
	counting
	full bool
}

func (s *stalled) Save(ctx context.Context, name string, snap actors.Snapshot) error {
	if _, atEnd := ctx.Deadline(); !atEnd {
		<-ctx.Done()
		return ctx.Err()
	}
	if s.full {
		return errors.New("no room")
	}
	return s.counting.Save(ctx, name, snap)
}

// A snapshot that the end cuts off is saved at the end. Without room for it nothing is lost,
// so the shell ends without an error.
func TestAShellSavesAtItsEndWhatWasCutOff(t *testing.T) {
	for _, full := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			bus := &stalled{counting: counting{Bus: memory.New("test")}, full: full}
			ctx, stop := context.WithCancel(t.Context())
			service, err := shell.New(hostConfig(bus, "h"))
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- service.Run(ctx) }()
			synctest.Wait()
			m, err := subjects.Encode("test", &subjects.Resumed{Host: "h"})
			if err != nil {
				t.Fatal(err)
			}
			for range 99 { // after Joined: a snapshot is due for the last one, and nothing follows
				if _, err := bus.Append(ctx, []subjects.Message{m}, actors.Fence{}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
			stop()
			if err := <-ended; err != nil {
				t.Errorf("full %v: end = %v, want no error", full, err)
			}
			if n := bus.saved(); n != 1 && !full {
				t.Errorf("snapshots at the end = %d, want 1", n)
			}
		})
	}
}
