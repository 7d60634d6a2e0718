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
	// disk. A restart in the middle would begin that again.
	guardLooks = 5
)

// Guard watches the server's health until ctx ends. A stream that met an I/O error, such as a full
// disk, accepts nothing more before its server restarts. Guard reports that once, waits for room,
// and restarts the server. Connections, readers and shells go on by themselves.
func (s *Server) Guard(ctx context.Context, log *slog.Logger) {
	var fault faultStreak
	for wait := guardEvery; pause(ctx, wait); {
		wait = guardEvery
		err, room := s.Healthz(), freeBytes(s.cfg.Dir)
		if !fault.shouldRestart(err, room < guardRoom) {
			continue
		}
		if !fault.logged {
			log.Error("the data folder takes no events: free some disk space, then lull continues by itself", "folder", s.cfg.Dir, "free_bytes", room, "error", err)
			fault.logged = true
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

// faultStreak is the fault that the last looks at a server's health have found, each of them.
type faultStreak struct {
	text   string // of the fault; "" without one
	looks  int
	logged bool
}

// shouldRestart adds what one more look found, nil for no fault, and reports whether to restart the
// server: at once if the disk is full, because that explains the fault, or after guardLooks looks in
// a row with the same fault.
func (f *faultStreak) shouldRestart(err error, full bool) bool {
	if err == nil {
		*f = faultStreak{}
		return false
	}
	if text := err.Error(); text != f.text {
		f.text, f.looks = text, 0
	}
	f.looks++
	return full || f.looks >= guardLooks
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
