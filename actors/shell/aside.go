package shell

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// aside stores refused bytes in quarantine, outside the loop: a sender of garbage must not stop the
// log. It is bounded, since a flood comes faster than a disk syncs. Messages without room are
// counted and not kept. A goroutine for each message took 1.5 GB in ten seconds of flood, and still
// failed to keep most. Messages that came by a stream are still there under their sequence.
type aside struct {
	limiter limiter
	queue   chan refusal
	bytes   atomic.Int64 // of the bodies in queue
	full    time.Time    // time of the last warning that quarantine has no room
	warned  time.Time    // time of the last warning about a foreign message
}

// refusal is bytes that are no message of ours.
type refusal struct {
	where, id string
	reason    error
	body      []byte
}

const (
	asideQueue   = 4096
	asideBytes   = 8 << 20
	asideWorkers = 8 // whose messages share a sync of the disk
	warnEvery    = time.Minute
)

func newAside() aside { return aside{queue: make(chan refusal, asideQueue)} }

// put queues a refusal, or returns false when there is no room.
func (a *aside) put(r refusal) bool {
	if a.bytes.Load() >= asideBytes {
		return false
	}
	a.bytes.Add(int64(len(r.body)))
	select {
	case a.queue <- r:
		return true
	default:
		a.bytes.Add(-int64(len(r.body)))
		return false
	}
}

// setAside counts bytes that are no message of ours and keeps them with the
// reason. What a stream holds has an id, so that several readers keep it once.
func (s *Shell) setAside(where, id string, reason error, body []byte) {
	s.met.aside(where)
	if id == "" {
		if !s.aside.limiter.pass() {
			return
		}
		id = fmt.Sprintf("%s-%s-%d", where, s.cfg.Instance, time.Now().UnixNano())
	}
	if s.aside.put(refusal{where, id, reason, body}) {
		return
	}
	s.met.unkept.Inc()
	if now := time.Now(); now.Sub(s.aside.full) > warnEvery {
		s.aside.full = now
		s.cfg.Logger.Warn("garbage comes faster than quarantine keeps it: some of it is only counted", "where", where, "id", id, "reason", reason)
	}
}

// warnForeign reports whether the next warning about foreign messages is due.
func (a *aside) warnForeign() bool {
	now := time.Now()
	if now.Sub(a.warned) <= warnEvery {
		return false
	}
	a.warned = now
	return true
}

// goAside begins to keep what is set aside.
func (s *Shell) goAside() {
	for range asideWorkers {
		s.spawn(func() {
			for {
				select {
				case r := <-s.aside.queue:
					s.keepAside(r)
				case <-s.ctx.Done():
					return
				}
			}
		})
	}
}

func (s *Shell) keepAside(r refusal) {
	defer s.aside.bytes.Add(-int64(len(r.body)))
	ctx, cancel := context.WithTimeout(s.ctx, leaveWithin)
	defer cancel()
	if err := s.cfg.Bus.Quarantine(ctx, r.where, r.id, r.reason.Error(), r.body); err != nil && s.ctx.Err() == nil {
		s.met.unkept.Inc()
		s.cfg.Logger.Debug("refused bytes were not kept", "where", r.where, "id", r.id, "reason", r.reason, "error", err)
	}
}

// limiter passes a few messages each second.
type limiter struct {
	second time.Time
	passed int
}

// asidePerSecond bounds how many messages without a sequence are quarantined. A flood of garbage
// telemetry must not fill a disk.
const asidePerSecond = 10

func (l *limiter) pass() bool {
	if now := time.Now().Truncate(time.Second); !now.Equal(l.second) {
		l.second, l.passed = now, 0
	}
	l.passed++
	return l.passed <= asidePerSecond
}
