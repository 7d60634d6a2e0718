package jetstream

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
)

// Guard watches the server's health until ctx ends. A stream that met an I/O
// error, such as a full disk, takes nothing more before its server restarts;
// Guard says so once, waits for room, and restarts it. Connections, readers
// and shells go on by themselves.
func (s *Server) Guard(ctx context.Context, log *slog.Logger) {
	said := false
	for wait := guardEvery; pause(ctx, wait); {
		wait = guardEvery
		err := s.Healthz()
		if err == nil {
			said = false
			continue
		}
		if !said {
			log.Error("the data folder takes no events: free disk space and lull goes on by itself", "folder", s.cfg.Dir, "free_bytes", free(s.cfg.Dir), "error", err)
			said = true
		}
		if free(s.cfg.Dir) < guardRoom {
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

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// free is the bytes that an unprivileged process can still write, 0 if that
// cannot be known.
func free(dir string) uint64 {
	var stat unix.Statfs_t
	if unix.Statfs(dir, &stat) != nil {
		return 0
	}
	return stat.Bavail * uint64(stat.Bsize)
}
