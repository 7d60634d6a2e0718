package volume

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestWatchSwitchesOnceEachWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const floor = 100
		readings := []int64{500, 99, 0, 150, 199, 200, 150, 99, -1, 300}
		var said []string
		ctx, cancel := context.WithCancel(t.Context())
		w := Watch{
			Floor: floor, Every: time.Second,
			Full: func(int64) { said = append(said, "full") },
			Room: func(int64) { said = append(said, "room") },
			Free: func() (int64, error) {
				if len(readings) == 0 {
					cancel()
					return 0, errors.New("the volume is gone")
				}
				free := readings[0]
				readings = readings[1:]
				if free < 0 {
					return 0, errors.New("the volume does not answer")
				}
				return free, nil
			},
		}
		w.Run(ctx)
		if want := []string{"full", "room", "full", "room"}; !slices.Equal(said, want) {
			t.Errorf("calls = %q, want %q", said, want)
		}
	})
}

func TestFreeOfARealVolume(t *testing.T) {
	free, err := Free(t.TempDir())
	if err != nil || free <= 0 {
		t.Errorf("Free() = %d, %v, want some bytes", free, err)
	}
	if _, err := Free("/no/such/folder"); err == nil {
		t.Error("Free(a missing folder) = nil error, want an error")
	}
}
