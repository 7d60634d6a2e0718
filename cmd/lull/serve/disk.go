package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"lull/cmd/lull/serve/room"
)

var errDiskFull = errors.New("the disk is nearly full")

// diskWatch shuts the gate while the volume of the data folder has no room, so
// that no write of ours fails in the middle.
func (l *Local) diskWatch() service {
	watch := room.Watch{Dir: l.folder.Dir, Floor: l.cfg.Floor, Full: l.full, Room: l.roomAgain}
	return service{
		name: "disk watch",
		run: func(ctx context.Context) error {
			watch.Run(ctx)
			return nil
		},
		healthy: func() error {
			if l.gate.shut.Load() {
				return errDiskFull
			}
			return nil
		},
	}
}

// orFull tells an error's cause if that is the disk: the server names neither.
func (l *Local) orFull(err error) error {
	free, unknown := room.Free(l.folder.Dir)
	if unknown != nil || free >= cmp.Or(l.cfg.Floor, room.DefaultFloor) {
		return err
	}
	return fmt.Errorf("%w (%d MB free in %s): free some space, or choose another folder with --data: %w", errDiskFull, free>>20, l.folder.Dir, err)
}

// serverGuard starts the server again when a write failed all the same: a
// client's, which passes no gate, or ours, on a disk that fills up fast.
func (l *Local) serverGuard() service {
	return service{
		name: "server guard",
		run: func(ctx context.Context) error {
			l.server.Guard(ctx, l.cfg.Log)
			return nil
		},
		healthy: l.server.Healthz,
	}
}

func (l *Local) full(free int64) {
	l.gate.shut.Store(true)
	l.cfg.Log.Error(fmt.Sprintf(
		"the disk of %s is nearly full (%d MB free): paused; free some space and it goes on by itself", l.folder.Dir, free>>20))
}

func (l *Local) roomAgain(free int64) {
	l.gate.shut.Store(false)
	l.cfg.Log.Info(fmt.Sprintf("there is room again (%d MB free): going on", free>>20))
}
