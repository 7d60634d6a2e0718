package embedded

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sys/unix"
)

const (
	guardEvery = time.Second
	// guardRoom is the free disk below which a restart would only fail again.
	guardRoom = 32 << 20
	// guardPause lies between two restarts that did not help.
	guardPause = 10 * time.Second
	// guardLooks is how often in a row the same fault must be seen while the disk has room. A
	// stream that is being made looks faulty until its files exist, which takes seconds on a busy
	// disk. A restart in the middle of that would only begin it anew.
	guardLooks = 5
)

// Guard watches the server's health until ctx ends. A stream that met an I/O error, such as a full
// disk, accepts nothing more before its server restarts. Guard reports that once, waits for room,
// and restarts the server. Connections, readers and shells go on by themselves.
func (s *Server) Guard(ctx context.Context, log *slog.Logger) {
	var ill illness
	for wait := guardEvery; pause(ctx, wait); {
		wait = guardEvery
		err, room := s.Healthz(), freeBytes(s.cfg.Dir)
		if !ill.believe(err, room < guardRoom) {
			continue
		}
		if !ill.logged {
			log.Error("the data folder takes no events: free disk space and lull goes on by itself", "folder", s.cfg.Dir, "free_bytes", room, "error", err)
			ill.logged = true
		}
		if room < guardRoom {
			continue
		}
		wait = guardPause
		if err := s.Restart(); err != nil {
			log.Error("the embedded server did not come back; trying again", "error", err)
			continue
		}
		log.Info("the embedded server was restarted and takes events again")
	}
}

// illness is what the last looks at a server's health have in common.
type illness struct {
	what   string
	looks  int
	logged bool
}

// believe takes the finding of one more look, nil for health, and reports whether to restart the
// server. That is at once when the disk is full, which explains the fault, or when enough looks in
// a row found the same.
func (i *illness) believe(err error, full bool) bool {
	if err == nil {
		*i = illness{}
		return false
	}
	if what := err.Error(); what != i.what {
		i.what, i.looks = what, 0
	}
	i.looks++
	return full || i.looks >= guardLooks
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// freeBytes is the bytes that an unprivileged process can still write, 0 if that
// cannot be known.
func freeBytes(dir string) uint64 {
	var stat unix.Statfs_t
	if unix.Statfs(dir, &stat) != nil {
		return 0
	}
	return stat.Bavail * uint64(stat.Bsize)
}
