package serve

import (
	"context"
	"errors"
	"fmt"

	"lull/cmd/lull/serve/room"
)

var errDiskFull = errors.New("the disk is nearly full")

// diskWatch shuts the gate while the volume of the data folder has no room.
// When a write failed before that, the server has frozen the stream, and only
// a restart of the server thaws it; the connections follow.
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

func (l *Local) full(free int64) {
	l.gate.shut.Store(true)
	l.cfg.Log.Error(fmt.Sprintf(
		"the disk of %s is nearly full (%d MB free): paused; free some space and it goes on by itself", l.folder.Dir, free>>20))
}

func (l *Local) roomAgain(free int64) {
	if err := l.server.Healthz(); err != nil {
		l.cfg.Log.Warn("starting the embedded server again after the disk was full", "because", err)
		if err := l.server.Restart(); err != nil {
			l.report(fmt.Errorf("the embedded server does not start again: %w", err))
			return
		}
	}
	l.gate.shut.Store(false)
	l.cfg.Log.Info(fmt.Sprintf("there is room again (%d MB free): going on", free>>20))
}
