package host

import (
	"log/slog"
	"path/filepath"
	"time"

	"lull/monitor/usual"
)

// lastWrite bounds the wait for a disk when the host ends.
const lastWrite = 2 * time.Second

// idleFile keeps on the host's disk what its primary left idle in the last week. A goroutine of
// its own writes, because a sample never waits for a disk.
type idleFile struct {
	path    string
	log     *slog.Logger
	pending chan []byte
	done    chan struct{}
}

// openIdleFile reads what an earlier process left. A host that cannot read it begins anew: it
// predicts worse for some hours, and works.
func (h *Host) openIdleFile(cfg Config) *usual.Idle {
	h.memory = idleFile{path: filepath.Join(cfg.Data, "usual"), log: cfg.Logger, pending: make(chan []byte, 1), done: make(chan struct{})}
	seen, err := usual.Load(h.memory.path)
	if err != nil {
		cfg.Logger.Warn("the saved average of what the primary leaves idle cannot be used; the host averages anew", "error", err)
		return new(usual.Idle)
	}
	return seen
}

// put has body written, in place of one that still waits.
func (m *idleFile) put(body []byte) {
	select {
	case <-m.pending:
	default:
	}
	m.pending <- body // there is room: the monitor alone puts
}

func (m *idleFile) begin() {
	go func() {
		defer close(m.done)
		for body := range m.pending {
			if err := usual.Save(m.path, body); err != nil {
				m.log.Warn("the average of what the primary leaves idle is not saved", "error", err)
			}
		}
	}()
}

// end writes what waits, unless the disk hangs. The monitor must have ended.
func (m *idleFile) end() {
	close(m.pending)
	select {
	case <-m.done:
	case <-time.After(lastWrite):
		m.log.Warn("the average of what the primary leaves idle is not saved: the disk does not answer", "file", m.path)
	}
}
