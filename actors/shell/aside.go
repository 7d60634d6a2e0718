package shell

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// aside keeps refused bytes in quarantine, behind the loop's back: whoever
// sends garbage must not stop the log. It is bounded, since a flood comes
// faster than a disk syncs: what finds no room is counted and not kept. A
// goroutine for each message took 1.5 GB for ten seconds of it, and failed to
// keep most all the same. What came by a stream is still there under its
// sequence.
type aside struct {
	limiter limiter
	queue   chan refusal
	bytes   atomic.Int64 // of the bodies in queue
	told    time.Time    // time of the last warning that quarantine has no room
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
	tellEvery    = time.Minute
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
	if now := time.Now(); now.Sub(s.aside.told) > tellEvery {
		s.aside.told = now
		s.cfg.Logger.Warn("garbage comes faster than quarantine keeps it: some of it is only counted", "where", where, "id", id, "reason", reason)
	}
}

// warnForeign reports whether the next warning about foreign messages is due.
func (a *aside) warnForeign() bool {
	now := time.Now()
	if now.Sub(a.warned) <= tellEvery {
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

// limiter lets a few through each second.
type limiter struct {
	second time.Time
	passed int
}

// asidePerSecond bounds how much of what came without a sequence is kept in
// quarantine. Whoever floods telemetry with garbage must not fill a disk.
const asidePerSecond = 10

func (l *limiter) pass() bool {
	if now := time.Now().Truncate(time.Second); !now.Equal(l.second) {
		l.second, l.passed = now, 0
	}
	l.passed++
	return l.passed <= asidePerSecond
}
