package hostctl

import (
	"context"
	"fmt"
	"time"

	"lull/hostctl/actor"
)

// diskEvery is how often free space is looked at.
const diskEvery = time.Second

// watchDisk stops starting tasks while the disk is full.
func (a *Agent) watchDisk(ctx context.Context) {
	tick := time.NewTicker(diskEvery)
	defer tick.Stop()
	for full := false; ; {
		if now, text := a.diskFull(full); now != full {
			full = now
			a.mu.Lock()
			a.mu.full = full
			a.mu.Unlock()
			a.report(actor.Disk{Full: full})
			if full {
				a.cfg.Logger.Error("the disk is full: nothing starts until there is room", "space", text, "folder", a.store.Root())
			} else {
				a.cfg.Logger.Info("the disk has room again", "space", text)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// diskFull compares free space with the floor; once full, a quarter more must
// be free before it counts as room.
func (a *Agent) diskFull(was bool) (full bool, text string) {
	free, total, err := a.store.Space()
	if err != nil {
		return was, err.Error()
	}
	floor := a.cfg.MinFree
	if floor == 0 {
		floor = max(64<<20, total/100)
	}
	if was {
		floor += floor / 4
	}
	return free < floor, fmt.Sprintf("%d MB free, %d MB needed", free>>20, floor>>20)
}
