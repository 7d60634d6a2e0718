package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"lull/cmd/lull/serve/folder"
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

// take takes the data folder, if its volume has what is needed: a server that begins without logs errors of
// its own, which name no folder. One job that cannot begin is not waited for.
func take(cfg Config) (*folder.Folder, error) {
	need := volume.Continue
	if _, err := os.Stat(filepath.Join(cfg.Data, serverFolder)); cfg.OneJob || errors.Is(err, fs.ErrNotExist) {
		need = cfg.needToBegin()
	}
	taken, err := folder.Take(cfg.Data)
	if errors.Is(err, ErrTaken) {
		return nil, err
	}
	if wrong := volume.Check(cfg.Data, need); wrong != nil {
		if err == nil {
			_ = taken.Close() // the volume takes no writes
		}
		return nil, wrong
	}
	return taken, err
}

// needToBegin is what must be free for anything to run.
func (c *Config) needToBegin() volume.Need {
	return volume.Need{Bytes: cmp.Or(c.Floor, volume.DefaultFloor), Files: volume.BeginFiles}
}

// orFull says of an error at the start what can be done about it, if the disk has no room, or the user's quota
// is used up. The server's own errors do not name the disk.
func (l *Local) orFull(err error) error {
	if wrong := volume.Check(l.folder.Dir, l.cfg.needToBegin()); wrong != nil {
		return fmt.Errorf("%w: %w", wrong, err)
	}
	if errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.ENOSPC) {
		return fmt.Errorf("data folder %s: %w: free some space, or choose another folder with --data", l.folder.Dir, err)
	}
	return err
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
