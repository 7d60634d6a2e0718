// Package volume watches the free space of a volume, so that a service stops writing while it still
// can, and goes on by itself when there is room again.
package volume

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// DefaultFloor is the free space below which nothing more is written, in
// bytes. JetStream allocates blocks of up to 8 MB a stream, and a write that
// fails in the middle freezes the stream until the server restarts.
const DefaultFloor = 64 << 20

// Watch says what to watch, and what to do.
type Watch struct {
	Dir   string
	Floor int64         // bytes; DefaultFloor if 0
	Every time.Duration // between two looks; a second if 0
	// Full is called when less than Floor is free, Room when twice that is free again: the gap
	// keeps a volume at the brink from switching at every look. Both are called from Run's
	// goroutine and may take their time.
	Full, Room func(free int64)
	// Free returns the bytes that an ordinary user may still write.
	// Defaults to statfs of Dir.
	Free func() (int64, error)
}

// Run watches until ctx ends. A look at the volume that fails changes nothing.
func (w Watch) Run(ctx context.Context) {
	w.fillDefaults()
	ticker := time.NewTicker(w.Every)
	defer ticker.Stop()
	full := false
	for {
		full = w.checkSpace(full)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (w *Watch) checkSpace(full bool) bool {
	free, err := w.Free()
	switch {
	case err != nil:
		return full
	case !full && free < w.Floor:
		w.Full(free)
		return true
	case full && free >= 2*w.Floor:
		w.Room(free)
		return false
	}
	return full
}

func (w *Watch) fillDefaults() {
	if w.Floor == 0 {
		w.Floor = DefaultFloor
	}
	if w.Every == 0 {
		w.Every = time.Second
	}
	if w.Free == nil {
		w.Free = func() (int64, error) { return Free(w.Dir) }
	}
}

// Free returns the bytes that an ordinary user may still write to the volume that holds dir. A volume
// without inodes takes no file, however many bytes are free: if less of its inodes is free than of its bytes,
// their share of all bytes counts.
func Free(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("ask for the free space of %s: %w", dir, err)
	}
	free, total := int64(s.Bavail)*s.Bsize, int64(s.Blocks)*s.Bsize
	if s.Files > 0 {
		free = min(free, int64(float64(total)*float64(s.Ffree)/float64(s.Files)))
	}
	return free, nil
}
