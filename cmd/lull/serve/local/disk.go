package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"lull/cmd/lull/serve/service"
	"lull/cmd/lull/serve/volume"
)

var errDiskFull = errors.New("the disk is nearly full")

// diskWatch shuts the gate while the volume of the data folder has no room: a write that fails
// half way would freeze its stream.
func (l *Local) diskWatch() service.Service {
	watch := volume.Watch{Dir: l.folder.Dir, Floor: l.cfg.Floor, Full: l.full, Room: l.roomAgain}
	return service.Service{
		Name: "disk watch",
		Run: func(ctx context.Context) error {
			watch.Run(ctx)
			return nil
		},
		Healthy: func() error {
			if l.gate.shut.Load() {
				return errDiskFull
			}
			return nil
		},
	}
}

// orFull wraps an error of the server in errDiskFull if the disk has no room. The server's own
// error does not name the disk.
func (l *Local) orFull(err error) error {
	free, unknown := volume.Free(l.folder.Dir)
	if unknown != nil || free >= cmp.Or(l.cfg.Floor, volume.DefaultFloor) {
		return err
	}
	return fmt.Errorf("%w (%d MB free in %s): free some space, or choose another folder with --data: %w", errDiskFull, free>>20, l.folder.Dir, err)
}

// serverGuard restarts the server after a write failed. Clients' writes do not pass the gate,
// and a disk can fill up between two looks.
func (l *Local) serverGuard() service.Service {
	return service.Service{
		Name: "server guard",
		Run: func(ctx context.Context) error {
			l.server.Guard(ctx, l.cfg.Log)
			return nil
		},
		Healthy: l.server.Healthz,
	}
}

func (l *Local) full(free int64) {
	l.gate.shut.Store(true)
	l.cfg.Log.Error(fmt.Sprintf(
		"the disk of %s is nearly full (%d MB free): paused until some space is free", l.folder.Dir, free>>20))
}

func (l *Local) roomAgain(free int64) {
	l.gate.shut.Store(false)
	l.cfg.Log.Info(fmt.Sprintf("there is room again (%d MB free): going on", free>>20))
}
